import { GetAliasCommand } from '@aws-sdk/client-lambda';
import { type Check, failed, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';

const PARTS = ['pipeline', 'api'] as const;
/** They have no canary: people invoke them directly, API Gateway, or the doctor where it has no schedule. */
const WITHOUT_ALIAS = ['OnCallLink', 'AnalystLink', 'Doctor', 'Feed', 'StageApi'];

/** Whether one version of each function gets all traffic: two are a canary, current or abandoned. */
export const aliases: Check = {
  name: 'aliases',
  partOf: [11, 12],
  async run(stage) {
    const looks = (await Promise.all(PARTS.map((part) => looksOf(stage, part)))).flat();
    const missing = looks.filter(({ version }) => version === undefined);
    const shared = looks.filter(({ others }) => others.length > 0);
    if (missing.length > 0) {
      return failed(
        missing.map(({ name }) => `${name} has no alias live`).join('; '),
        `Nothing runs what has no alias: ${revertDrift(stage, 'pipeline', 'api')}`,
      );
    }
    return shared.length === 0
      ? ok(`${looks.length} functions, each with one version`)
      : warning(
          shared
            .map(({ name, version, others }) => `${name} is on ${version} and ${others.join(', ')}`)
            .join('; '),
          'During a deployment this is its canary, for ten minutes. Else give one version all of it: aws lambda update-alias --name live --routing-config AdditionalVersionWeights={} --function-name …',
        );
  },
};

async function looksOf({ clients, functions }: ExaminedStage, part: (typeof PARTS)[number]) {
  return Promise.all(
    Object.entries(functions(part))
      .filter(([id]) => !WITHOUT_ALIAS.includes(id))
      .map(async ([, { name: FunctionName }]) => {
        try {
          const { FunctionVersion, RoutingConfig } = await clients.lambda.send(
            new GetAliasCommand({ FunctionName, Name: 'live' }),
          );
          const others = Object.entries(RoutingConfig?.AdditionalVersionWeights ?? {});
          return {
            name: FunctionName,
            version: FunctionVersion,
            others: others.map(([version, weight]) => `${Math.round(weight * 100)} % on ${version}`),
          };
        } catch (error) {
          if ((error as Error).name !== 'ResourceNotFoundException') {
            throw error;
          }
          return { name: FunctionName, version: undefined, others: [] };
        }
      }),
  );
}
