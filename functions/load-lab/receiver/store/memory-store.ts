import type { Receipt } from '../receipt.ts';
import { type ArrivalKey, PAGE, type ReceiverStore } from './receiver-store.ts';
import type { Settings } from './settings.ts';

/** Keeps the promises of the port, in memory. */
export function memoryStore(): ReceiverStore {
  const settings = new Map<string, Settings>();
  const receipts = new Map<string, Receipt[]>();
  const unanswered = new Map<ArrivalKey, Receipt>();
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
    async forget(endpoint) {
      settings.delete(endpoint);
      receipts.delete(endpoint);
      for (const [key, receipt] of unanswered) {
        if (receipt.endpoint === endpoint) unanswered.delete(key);
      }
    },
  };
}
