import {
  GetParameterCommand,
  ParameterNotFound,
  paginateGetParametersByPath,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import {
  optionFor,
  type Part,
  RECORDS_PATH,
  type RecordedPart,
  type RecordedSettings,
  readPart,
  readSettings,
  recordName,
} from '../../lib/recorded-deployment.ts';
import { refusalIn } from '../operator/doctor/permissions/refusal.ts';
import { ExplainedError } from '../terminal/explanation.ts';
import type { ChosenDeployment } from './chosen-deployment.ts';

/** What a deployment has recorded of itself. */
export interface Deployment extends RecordedSettings {
  readonly name: string;
  /** @throws ExplainedError when the part is not there */
  part(part: Part): Promise<RecordedPart>;
  /** @throws ExplainedError when the part is not there, or does not tell it */
  value(part: Part, name: string): Promise<string>;
}

/**
 * Finds a deployment by its own name, or by that of a stack which holds one of its parts.
 *
 * @param account names account and region in errors
 * @throws ExplainedError when there is none, or a stack holds several, listing those that there are
 */
export async function findDeployment(
  ssm: SSMClient,
  chosen: ChosenDeployment,
  account: () => Promise<string>,
): Promise<Deployment> {
  const name = chosen.deployment;
  const text = await parameter(ssm, recordName(name, 'settings'));
  if (text !== undefined) {
    return deploymentOf(
      ssm,
      name,
      readable(name, () => readSettings(text)),
    );
  }
  const all = await listed(ssm, chosen);
  const holding = all.filter(({ settings }) =>
    Object.values(settings.parts).some(({ stack }) => chosen.by === 'stack' && stack === chosen.name),
  );
  const [first, second] = holding;
  if (first === undefined) {
    throw new ExplainedError(await absence(chosen, all, account));
  }
  if (second !== undefined) {
    throw new ExplainedError(
      `The stack ${chosen} holds several deployments: ${namesOf(holding)}. Name one of them.`,
    );
  }
  return deploymentOf(ssm, first.name, first.settings);
}

async function absence(chosen: ChosenDeployment, all: readonly Listed[], account: () => Promise<string>) {
  const where = await account();
  const todo =
    all.length === 0
      ? 'there is no other either.'
      : `there ${all.length === 1 ? 'is' : 'are'} ${namesOf(all)}.`;
  const what = chosen.by === 'stage' ? chosen.deployment : `or stack called ${chosen}`;
  const how =
    chosen.by === 'stage'
      ? ` To deploy the stage: npx cdk deploy --all -c stage=${chosen}. What a deployment that failed has left: npm run ops -- preflight ${chosen.option}`
      : '';
  return `There is no deployment ${what} in ${where}; ${todo} Are these the account and the region?${how}`;
}

function deploymentOf(ssm: SSMClient, name: string, { settings, parts }: RecordedSettings): Deployment {
  const read = new Map<Part, Promise<RecordedPart>>();
  const part = (wanted: Part) => {
    const known = read.get(wanted) ?? partOf(ssm, name, wanted);
    read.set(wanted, known);
    return known;
  };
  return {
    name,
    settings,
    parts,
    part,
    value: async (wanted, of) => recordedValue(name, wanted, (await part(wanted)).values, of),
  };
}

/** @throws ExplainedError when the part does not tell it */
export function recordedValue(
  deployment: string,
  part: Part,
  values: RecordedPart['values'],
  name: string,
): string {
  const value = values[name];
  if (value === undefined) {
    throw new ExplainedError(
      `${deployment} has recorded no ${name} of its part ${part}: is another version deployed than the one checked out here?`,
    );
  }
  return value;
}

async function partOf(ssm: SSMClient, deployment: string, part: Part): Promise<RecordedPart> {
  const text = await parameter(ssm, recordName(deployment, part));
  if (text === undefined) {
    throw new ExplainedError(
      `The part ${part} of ${deployment} is not deployed: npm run ops -- doctor ${optionFor(deployment)} --only stacks`,
    );
  }
  return readable(deployment, () => readPart(text));
}

function readable<Read>(deployment: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    throw new ExplainedError(
      `What ${deployment} has recorded of itself cannot be read: it was deployed with another version than the one checked out here.`,
      { cause },
    );
  }
}

async function parameter(ssm: SSMClient, Name: string): Promise<string | undefined> {
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
    return Parameter?.Value;
  } catch (error) {
    if (error instanceof ParameterNotFound) {
      return undefined;
    }
    throw error;
  }
}

interface Listed {
  readonly name: string;
  readonly settings: RecordedSettings;
}

async function listed(ssm: SSMClient, chosen: ChosenDeployment): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  try {
    const pages = paginateGetParametersByPath({ client: ssm }, { Path: RECORDS_PATH, Recursive: true });
    for await (const { Parameters = [] } of pages) {
      for (const { Name = '', Value = '' } of Parameters) {
        found.push(...settingsIn(Name, Value));
      }
    }
  } catch (error) {
    if (refusalIn(error) === undefined) {
      throw error;
    }
    throw new ExplainedError(
      `There is no deployment ${chosen.deployment} in this account and region, and your role may not list the others (ssm:GetParametersByPath on ${RECORDS_PATH}). Name the deployment itself, not a stack.`,
    );
  }
  return found;
}

/** None of another parameter, or where another version has written what this one cannot read. */
function settingsIn(parameterName: string, text: string): Listed[] {
  const [, name] = /^\/payhooks\/([^/]+)\/settings$/.exec(parameterName) ?? [];
  try {
    return name === undefined ? [] : [{ name, settings: readSettings(text) }];
  } catch {
    return [];
  }
}

function namesOf(all: readonly Listed[]): string {
  return all.map(({ name }) => `${name} (${optionFor(name)})`).join(', ');
}
