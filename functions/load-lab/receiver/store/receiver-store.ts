import type { Arrival, Receipt } from '../receipt.ts';
import type { Settings } from './settings.ts';

/** Names one arrival within its endpoint. Arrivals sort by it. */
export type ArrivalKey = string;

/** What the receiver remembers of its endpoints. */
export interface ReceiverStore {
  /** Undefined when the endpoint has none. */
  settingsOf(endpoint: string): Promise<Settings | undefined>;
  /** Replaces what was kept before. */
  keepSettings(endpoint: string, settings: Settings): Promise<void>;
  noteArrival(arrival: Arrival): Promise<ArrivalKey>;
  /** Does nothing when the endpoint has been forgotten meanwhile. */
  noteAnswer(
    endpoint: string,
    key: ArrivalKey,
    answer: { readonly answered_at: string; readonly status: number },
  ): Promise<void>;
  /** The receipts in order of arrival whose number is above `after`; at most `PAGE` of them. */
  receiptsAfter(endpoint: string, after: number): Promise<Receipt[]>;
  /** Whether the endpoint may take one more in this second (unix time), of which it takes so many. */
  takeOne(endpoint: string, second: number, max: number): Promise<boolean>;
  /** Settings and receipts. */
  forget(endpoint: string): Promise<void>;
}

/** Nobody asks for a second that is over. */
export const KEEP_TAKEN_SECONDS = 60;

/** So many receipts come in one reading: about 400 KB, far below what a Lambda may answer. */
export const PAGE = 1_000;
