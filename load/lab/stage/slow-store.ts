import { ExplainedError } from '../../../cli/terminal/explanation.ts';
import { type SlowStoreControl, slowStoreControl } from '../../../local/slow-store/control.ts';
import type { CallCounts } from '../../../local/slow-store/proxy.ts';
import type { SettingsOptions } from '../../../local/slow-store/settings.ts';
import type { Parameters } from '../scenario/parameters.ts';
import type { LabStage } from './lab-stage.ts';

/** Whether the scenario slows the store down. Its cells all use the proxy, also the one without a delay. */
export function needsSlowStore(parameters: Parameters): boolean {
  return 'store_delay_ms' in parameters;
}

/**
 * Controls the proxy in front of the local stack's store.
 *
 * @throws ExplainedError when the stage has none
 */
export function slowStoreOf({
  name,
  slowStoreUrl,
}: Pick<LabStage, 'name' | 'slowStoreUrl'>): SlowStoreControl {
  if (name !== 'local') {
    throw new ExplainedError(
      `--store-delay-ms: only the local stack has a store that can be slowed down, not ${name}`,
    );
  }
  if (slowStoreUrl === undefined) {
    throw new ExplainedError(
      '--store-delay-ms: the local stack runs without the slow-store proxy. Start it with: npm run local -- --slow-store',
    );
  }
  return slowStoreControl(slowStoreUrl);
}

export function storeSettings({
  store_delay_ms = 0,
  store_failure_rate = 0,
  queue_delay_ms = 0,
  queue_failure_rate = 0,
}: Parameters): SettingsOptions {
  return {
    dynamodb: { delay_ms: Number(store_delay_ms), failure_rate: Number(store_failure_rate) },
    sqs: { delay_ms: Number(queue_delay_ms), failure_rate: Number(queue_failure_rate) },
  };
}

/** Calls as the proxy counted them: each retry of the SDK is a call. */
export function callsSentence(counts: CallCounts): string {
  const { dynamodb, sqs } = counts;
  return `The functions made ${dynamodb.calls} calls to DynamoDB, ${dynamodb.failed} of them failed; ${sqs.calls} calls to SQS, ${sqs.failed} of them failed.`;
}
