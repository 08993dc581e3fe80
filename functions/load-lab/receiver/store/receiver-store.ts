import type { Arrival, Receipt } from '../receipt.ts';
import type { Settings } from './settings.ts';

/** Identifies an arrival within its endpoint; sorts in order of arrival. */
export type ArrivalKey = string;

/** The settings and receipts of the receiver's endpoints. */
export interface ReceiverStore {
  /** Undefined when the endpoint has none. */
  settingsOf(endpoint: string): Promise<Settings | undefined>;
  /** Replaces earlier settings. */
  keepSettings(endpoint: string, settings: Settings): Promise<void>;
  recordArrival(arrival: Arrival): Promise<ArrivalKey>;
  /** Does nothing if the endpoint has been forgotten meanwhile. */
  recordAnswer(
    endpoint: string,
    key: ArrivalKey,
    answer: { readonly answered_at: string; readonly status: number },
  ): Promise<void>;
  /** At most `PAGE` receipts with a number above `after`, in order of arrival. */
  receiptsAfter(endpoint: string, after: number): Promise<Receipt[]>;
  /** Deletes settings and receipts. */
  forget(endpoint: string): Promise<void>;
}

/** Receipts per page: about 400 KB, far below the response limit of Lambda. */
export const PAGE = 1_000;
