import { ExplainedError } from '../../../cli/terminal/explained-error.ts';
import type { CallCounts } from '../../slow-store/call-count.ts';
import { type SlowStoreControl, slowStoreControl } from '../../slow-store/control.ts';
import type { SettingsOptions } from '../../slow-store/settings.ts';
import type { Parameters } from '../scenario/parameters.ts';
import type { LabStage } from './lab-stage.ts';

/** Whether the scenario is about a store that is slow or fails; then it needs the proxy for nothing at all, too, so that all cells have it. */
export function asksForSlowStore(parameters: Parameters): boolean {
  return 'store_delay_ms' in parameters;
}

/**
 * The store of the stage, to be slowed down by the proxy that the local stack may have before it.
 *
 * @throws ExplainedError where there is none
 */
export function slowStoreOf({
  name,
  slowStoreUrl,
}: Pick<LabStage, 'name' | 'slowStoreUrl'>): SlowStoreControl {
  if (name !== 'local') {
    throw new ExplainedError(
      `--store-delay-ms: the store of ${name} cannot be slowed down; only that of the local stack`,
    );
  }
  if (slowStoreUrl === undefined) {
    throw new ExplainedError(
      '--store-delay-ms: the local stack has no store that can be slowed down. Start it with: npm run local -- --slow-store',
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
  return [
    { service: 'dynamodb', ...trouble(store_delay_ms, store_failure_rate) },
    { service: 'sqs', ...trouble(queue_delay_ms, queue_failure_rate) },
  ];
}

function trouble(delayMs: number | string, failureRate: number | string) {
  return { delay_ms: Number(delayMs), failure_rate: Number(failureRate), failure_kind: 'any' } as const;
}

/** What came to the proxy, tries of the SDK counted each. */
export function callsSentence(counts: CallCounts): string {
  const parts = (['dynamodb', 'sqs'] as const).map((service) => {
    const operations = Object.values(counts[service] ?? {});
    const sum = (of: 'calls' | 'failed') => operations.reduce((total, count) => total + count[of], 0);
    return `${sum('calls')} calls to ${service === 'sqs' ? 'SQS' : 'DynamoDB'}, ${sum('failed')} of them failed`;
  });
  return `The functions made ${parts.join('; ')}.`;
}
