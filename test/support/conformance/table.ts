import type { PeerFile, Verdict } from './scenario.ts';
import { OUTPOST_API } from './scenarios/outpost-api.ts';
import { OUTPOST_DELIVERIES } from './scenarios/outpost-deliveries.ts';
import { OUTPOST_SIGNATURES } from './scenarios/outpost-signatures.ts';
import { OUTPOST_TYPES } from './scenarios/outpost-types.ts';
import { SVIX_ACCOUNTS } from './scenarios/svix-accounts.ts';
import { SVIX_ENDPOINT } from './scenarios/svix-endpoint.ts';
import { SVIX_MESSAGES } from './scenarios/svix-messages.ts';
import { SVIX_WORKERS } from './scenarios/svix-workers.ts';

/** Every scenario of the end-to-end suites of Svix and Outpost, by file. */
export const PEER_FILES: readonly PeerFile[] = [
  SVIX_ENDPOINT,
  ...SVIX_MESSAGES,
  ...SVIX_ACCOUNTS,
  ...SVIX_WORKERS,
  ...OUTPOST_DELIVERIES,
  ...OUTPOST_API,
  ...OUTPOST_SIGNATURES,
  ...OUTPOST_TYPES,
];

export interface Row {
  readonly of: PeerFile;
  readonly scenario: string;
  readonly verdict: Verdict;
}

export const ROWS: readonly Row[] = PEER_FILES.flatMap((of) =>
  Object.entries(of.scenarios).map(([scenario, verdict]) => ({ of, scenario, verdict })),
);
