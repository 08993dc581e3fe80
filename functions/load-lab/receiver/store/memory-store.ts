import type { Receipt } from '../receipt.ts';
import { type ArrivalKey, KEEP_TAKEN_SECONDS, PAGE, type ReceiverStore } from './receiver-store.ts';
import type { Settings } from './settings.ts';

/** Keeps the promises of the port, in memory. */
export function memoryStore(): ReceiverStore {
  const settings = new Map<string, Settings>();
  const receipts = new Map<string, Receipt[]>();
  const unanswered = new Map<ArrivalKey, Receipt>();
  /** By endpoint and second. */
  const taken = new Map<string, Map<number, number>>();
  let arrivals = 0;

  return {
    async settingsOf(endpoint) {
      return settings.get(endpoint);
    },
    async keepSettings(endpoint, kept) {
      settings.set(endpoint, kept);
    },
    async recordArrival(arrival) {
      const seen = receipts.get(arrival.endpoint) ?? [];
      const receipt: Receipt = { ...arrival, number: seen.length + 1 };
      receipts.set(arrival.endpoint, seen);
      seen.push(receipt);
      arrivals += 1;
      const key = String(arrivals);
      unanswered.set(key, receipt);
      return key;
    },
    async recordAnswer(_endpoint, key, answer) {
      const receipt = unanswered.get(key);
      if (receipt !== undefined) Object.assign(receipt, answer);
      unanswered.delete(key);
    },
    async receiptsAfter(endpoint, after) {
      return (receipts.get(endpoint) ?? []).slice(after, after + PAGE).map((receipt) => ({ ...receipt }));
    },
    async takeOne(endpoint, second, max) {
      const counts = taken.get(endpoint) ?? new Map<number, number>();
      const count = counts.get(second) ?? 0;
      if (count >= max) return false;
      taken.set(endpoint, counts.set(second, count + 1));
      for (const past of counts.keys()) {
        if (past < second - KEEP_TAKEN_SECONDS) counts.delete(past);
      }
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
