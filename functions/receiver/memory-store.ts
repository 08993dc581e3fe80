import type { Receipt } from './receipt.ts';
import { type ArrivalKey, PAGE, type ReceiverStore } from './receiver-store.ts';
import type { Settings } from './settings.ts';

/** Remembers as long as its process lives. */
export function memoryStore(): ReceiverStore {
  const settings = new Map<string, Settings>();
  const receipts = new Map<string, Receipt[]>();
  const unanswered = new Map<ArrivalKey, Receipt>();
  const taken = new Map<string, { readonly second: number; readonly count: number }>();
  let arrivals = 0;

  return {
    async settingsOf(endpoint) {
      return settings.get(endpoint);
    },
    async keepSettings(endpoint, kept) {
      settings.set(endpoint, kept);
    },
    async noteArrival(arrival) {
      const seen = receipts.get(arrival.endpoint) ?? [];
      const receipt: Receipt = { ...arrival, number: seen.length + 1 };
      receipts.set(arrival.endpoint, seen);
      seen.push(receipt);
      arrivals += 1;
      const key = String(arrivals);
      unanswered.set(key, receipt);
      return key;
    },
    async noteAnswer(_endpoint, key, answer) {
      const receipt = unanswered.get(key);
      if (receipt !== undefined) Object.assign(receipt, answer);
      unanswered.delete(key);
    },
    async receiptsAfter(endpoint, after) {
      return (receipts.get(endpoint) ?? []).slice(after, after + PAGE).map((receipt) => ({ ...receipt }));
    },
    async takeOne(endpoint, second, most) {
      const known = taken.get(endpoint);
      const count = known?.second === second ? known.count : 0;
      if (count >= most) return false;
      taken.set(endpoint, { second, count: count + 1 });
      return true;
    },
    async forget(endpoint) {
      taken.delete(endpoint);
      settings.delete(endpoint);
      receipts.delete(endpoint);
      for (const [key, receipt] of unanswered) {
        if (receipt.endpoint === endpoint) unanswered.delete(key);
      }
    },
  };
}
