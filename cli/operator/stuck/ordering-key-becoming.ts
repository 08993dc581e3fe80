import { setTimeout as delay } from 'node:timers/promises';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { OrderingKeyTable, StuckKey } from './ordering-key-table.ts';

/** A signal is handled within a second, but an attempt may take its whole deadline. */
const LOOKS = 15;
const MS_BETWEEN_LOOKS = 1_000;

/** The ordering key once somebody has changed it; `unchanged` when nobody has for a while. */
export async function becoming(
  keys: Pick<OrderingKeyTable, 'key'>,
  { ordering_key, revision }: StuckKey,
): Promise<BlockedKey | undefined | 'unchanged'> {
  for (let look = 0; look < LOOKS; look += 1) {
    const key = await keys.key(ordering_key);
    if (key === undefined || (key.revision !== revision && !isDueNow(key))) {
      return key;
    }
    await delay(MS_BETWEEN_LOOKS);
  }
  const key = await keys.key(ordering_key);
  return key?.revision === revision ? 'unchanged' : key;
}

/** Released a moment ago: its first message is being attempted. */
function isDueNow(key: BlockedKey): boolean {
  return key.state === 'waiting' && Date.parse(key.due_at) <= Date.now();
}
