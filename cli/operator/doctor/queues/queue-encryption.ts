import { type Check, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';
import { PIPELINE_QUEUES, queueProblems } from './pipeline-queues.ts';

/** Whether every queue is encrypted. With the key of SQS, EventBridge writes without more permissions. */
export const queueEncryption: Check = {
  name: 'queue-encryption',
  notEmulated: 'it encrypts nothing',
  async run(stage) {
    const faults = await queueProblems(
      stage,
      ['KmsMasterKeyId', 'SqsManagedSseEnabled'],
      ({ KmsMasterKeyId = '', SqsManagedSseEnabled }) =>
        SqsManagedSseEnabled === 'true' || KmsMasterKeyId !== '' ? undefined : 'is not encrypted',
    );
    return judged(
      faults,
      `${PIPELINE_QUEUES.length} queues are encrypted`,
      `Somebody has changed a queue by hand: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};
