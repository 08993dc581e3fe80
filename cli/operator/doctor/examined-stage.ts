import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import {
  type DeploymentSettings,
  optionFor,
  type Part,
  type RecordedPart,
  type RecordedSettings,
} from '../../../lib/recorded-deployment.ts';
import { ChosenDeployment, inRegionOf } from '../../stage/chosen-deployment.ts';
import { type Deployment, findDeployment, recordedValue } from '../../stage/find-deployment.ts';
import { clientConfig } from '../../stage/local-account.ts';
import { reachable, readOutputs } from '../../stage/local-outputs.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { type StackState, stackStates } from './stacks/stack-states.ts';

interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** An account and region where a stage is, or will be. */
export interface Account {
  readonly accountId: string;
  readonly region: string;
  readonly caller: string;
  readonly clients: Clients;
  /** Aborted when the caller wants it to end. */
  readonly signal?: AbortSignal | undefined;
}

/** A stage in its account, deployed or not, and which of its stacks exist. */
export interface StageInAccount<Settings = DeploymentSettings> extends Account {
  readonly settings: Settings;
  readonly stacks: readonly StackState[];
}

/** A stage as the doctor sees it, with the permissions of the caller. */
export interface ExaminedStage extends StageInAccount {
  /** The name of its record. */
  readonly deployment: string;
  /** Chooses it for a command. */
  readonly option: string;
  readonly parts: RecordedSettings['parts'];
  /** What each part that is there has told. */
  readonly values: Readonly<Partial<Record<Part, RecordedPart['values']>>>;
  /** @throws ExplainedError when the part is not there or does not tell it */
  output(part: Part, name: string): string;
  /** @throws ExplainedError when the part has no such function */
  functionOf(part: Part, id: string): RecordedPart['functions'][string];
  /** All functions of a part, by the ids of their constructs. */
  functions(part: Part): RecordedPart['functions'];
  /** The names of the resources of a type in a part; `AWS::` is left out of it. */
  named(part: Part, type: string, logicalIdBegins?: string): Promise<readonly string[]>;
  arn(service: string, resource: string): string;
}

export type Clients = ReturnType<typeof clientsOf>;

function clientsOf(config: object) {
  return {
    cloudFormation: new CloudFormationClient(config),
    cloudWatch: new CloudWatchClient(config),
    logs: new CloudWatchLogsClient(config),
    dynamodb: new DynamoDBClient(config),
    eventBridge: new EventBridgeClient(config),
    httpApi: new ApiGatewayV2Client(config),
    iam: new IAMClient(config),
    lambda: new LambdaClient(config),
    sns: new SNSClient(config),
    sqs: new SQSClient(config),
    ssm: new SSMClient(config),
    sts: new STSClient(config),
  };
}

/** @param config of AWS clients */
export async function accountOf(config: object, signal?: AbortSignal): Promise<Account> {
  const clients = clientsOf(config);
  const region = await clients.sts.config.region();
  const { Account: accountId = '', Arn: caller = '' } = await clients.sts.send(
    new GetCallerIdentityCommand(),
  );
  return { accountId, region, caller, clients, signal };
}

/**
 * Finds a stage and who asks.
 *
 * @param outputsFile of a local stack other than the usual one
 * @param as who else asks a local stack than the account's root: the configuration of their clients
 * @throws ExplainedError when the local stack does not run, or nothing of the stage is deployed
 */
export async function examinedStage(
  chosen: ChosenDeployment,
  {
    outputsFile,
    as,
    signal,
  }: { readonly outputsFile?: string | undefined; readonly as?: object; readonly signal?: AbortSignal } = {},
): Promise<ExaminedStage> {
  const local = chosen.isLocal ? await readOutputs(outputsFile) : undefined;
  const endpoint = local?.endpoint;
  const account = await accountOf(
    endpoint === undefined ? inRegionOf(chosen) : (as ?? clientConfig(endpoint)),
    signal,
  );
  const found = await findDeployment(
    account.clients.ssm,
    local === undefined ? chosen : new ChosenDeployment('stack', local.deployment),
    async () => `the account ${account.accountId} in ${account.region}`,
  );
  return examinedDeployment(account, found, endpoint);
}

/** @param endpoint of the emulator. @default - AWS */
export async function examinedDeployment(
  account: Account,
  deployment: Deployment,
  endpoint?: string,
): Promise<ExaminedStage> {
  const { accountId, region, caller, clients } = account;
  const { name, settings, parts } = deployment;
  const stacks = await stackStates(clients.cloudFormation, deployment.parts);
  const there = Object.entries(await recorded(deployment)) as [Part, RecordedPart][];
  const records = new Map(there);
  const recordOf = (part: Part) => {
    const record = records.get(part);
    if (record === undefined) {
      throw new ExplainedError(`the part ${part} of ${name} is not there: see the check stacks`);
    }
    return record;
  };
  const [, partition = 'aws'] = caller.split(':');
  const listed = new Map<string, Promise<readonly StackResource[]>>();
  const resources = (stack: string) => {
    const known = listed.get(stack) ?? listResources(clients.cloudFormation, stack);
    listed.set(stack, known);
    return known;
  };
  return {
    ...account,
    deployment: name,
    option: optionFor(name),
    settings,
    parts,
    stacks,
    values: Object.fromEntries(there.map(([part, { values }]) => [part, values])),
    output(part, output) {
      const value = recordedValue(name, part, recordOf(part).values, output);
      return endpoint === undefined ? value : onEmulator(value, endpoint);
    },
    functionOf(part, id) {
      const found = recordOf(part).functions[id];
      if (found === undefined) {
        throw new ExplainedError(
          `${name} has recorded no function ${id} of its part ${part}: is another version deployed than the one checked out here?`,
        );
      }
      return found;
    },
    functions: (part) => recordOf(part).functions,
    async named(part, type, logicalIdBegins = '') {
      const { prefix } = recordOf(part);
      return (await resources(parts[part]?.stack ?? ''))
        .filter(
          (resource) =>
            resource.type === `AWS::${type}` && resource.logicalId.startsWith(`${prefix}${logicalIdBegins}`),
        )
        .map(({ physicalId }) => physicalId);
    },
    arn: (service, resource) => `arn:${partition}:${service}:${region}:${accountId}:${resource}`,
  };
}

/** The parts that are there: the stack of another may never have been deployed. */
async function recorded({ parts, part }: Deployment) {
  const found = await Promise.all(
    (Object.keys(parts) as Part[]).map(async (one) => {
      try {
        return [[one, await part(one)] as const];
      } catch (error) {
        if (error instanceof ExplainedError) {
          return [];
        }
        throw error;
      }
    }),
  );
  return Object.fromEntries(found.flat());
}

/** The URLs of AWS lead to AWS. */
function onEmulator(value: string, endpoint: string): string {
  return /\.execute-api\./.test(value)
    ? `${reachable('execute-api', value, endpoint)}/$default${new URL(value).pathname}`
    : value;
}

async function listResources(client: CloudFormationClient, StackName: string) {
  const found: StackResource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      found.push({
        type: ResourceType ?? '',
        logicalId: LogicalResourceId ?? '',
        physicalId: PhysicalResourceId ?? '',
      });
    }
  }
  return found;
}
