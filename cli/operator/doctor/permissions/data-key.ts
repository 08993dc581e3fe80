import { type Check, judged, ok } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { attributesOf } from '../queues/queues.ts';
import { revertDrift } from '../revert-drift.ts';

const ENCRYPTED = [
  'EventsQueueUrl',
  'EventsDeadLettersUrl',
  'DeliveriesQueueUrl',
  'DeliveriesDeadLettersUrl',
] as const;

/** Whether the queues with bodies are encrypted with the key of the stage, where it has one. */
export const dataKey: Check = {
  name: 'data-key',
  partOf: [4],
  async run(stage) {
    if (!stage.settings.customerManagedKey) {
      return ok('the stage leaves it to keys that AWS owns');
    }
    const key = keyIdOf(stage.output('data', 'DataKeyArn'));
    const faults = await Promise.all(
      ENCRYPTED.map(async (name) => {
        const used = await keyOf(stage, name);
        return used.endsWith(key) ? [] : [`${name.replace(/Url$/, '')} has ${used}`];
      }),
    );
    const ofRules = await keyOf(stage, 'RuleDeadLettersUrl');
    const shared = ofRules.endsWith(key) ? ['RuleDeadLetters would fail together with the events queue'] : [];
    return judged(
      [...faults.flat(), ...shared],
      `${ENCRYPTED.length} queues with bodies use it, and the rule dead letters do not`,
      `Put the keys of the queues back: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};

/** Queues name their key by id or ARN, as it was set. */
function keyIdOf(arn: string): string {
  return arn.split('/').at(-1) ?? arn;
}

async function keyOf(stage: ExaminedStage, output: string): Promise<string> {
  return (await attributesOf(stage, { output }, 'KmsMasterKeyId')).KmsMasterKeyId ?? 'none of ours';
}
