import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { type Check, judged, ok } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';

const ON_INSTANCES = ['Match', 'Deliver'] as const;

/**
 * Whether match and deliver run on managed instances where the stage says so, and their live version has all
 * it needs. That they are fed by FIFO queues `workers` sees in part, and item 0.
 */
export const instances: Check = {
  name: 'instances',
  partOf: [0],
  async run(stage) {
    if (stage.settings.compute !== 'managed-instances') {
      return ok('match and deliver run on Lambda, as the stage says');
    }
    const faults = await Promise.all(ON_INSTANCES.map((id) => faultsOf(stage, id)));
    return judged(
      faults.flat(),
      'match and deliver run on managed instances',
      'See the log group of the pipeline, InstancesLogs: quotas of EC2, rights of the operator role, addresses of the subnets. Then docs/aws-checklist.md, item 0.',
    );
  },
};

async function faultsOf({ clients, named }: ExaminedStage, id: string): Promise<string[]> {
  const [FunctionName] = await named('pipeline', 'Lambda::Function', id);
  if (FunctionName === undefined) {
    return [`there is no ${id}`];
  }
  const { CapacityProviderConfig, State, StateReason } = await clients.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName, Qualifier: 'live' }),
  );
  return [
    ...(CapacityProviderConfig === undefined ? [`${id} runs on Lambda`] : []),
    ...(State === 'Active'
      ? []
      : [`${id} is ${State}${StateReason === undefined ? '' : `: ${StateReason}`}`]),
  ];
}
