import type { OurTest } from './our-tests.ts';

/** A file of `test/thorough/conformance`, in which exactly one title names the scenario. */
export type ConformanceFile =
  | 'auth'
  | 'deliveries'
  | 'endpoints'
  | 'idempotency'
  | 'lists'
  | 'retries'
  | 'routes'
  | 'signatures'
  | 'validation';

/**
 * What we have for a scenario of a peer. `instead` is Markdown, with a link from `docs/` to where it is told.
 */
export type Verdict =
  | { readonly kind: 'passes'; readonly test: ConformanceFile | OurTest }
  | { readonly kind: 'replaced'; readonly instead: string; readonly test?: ConformanceFile | OurTest }
  | { readonly kind: 'not_applicable'; readonly why: string };

/** A file of a peer's end-to-end suite, as we read it. */
export interface PeerFile {
  readonly peer: 'Svix' | 'Outpost';
  /** As in its repository; a note may follow in brackets. */
  readonly file: string;
  /** The beginning of the commit's name, where it is known. */
  readonly commit?: string;
  /** By name of the scenario, in the peer's order. */
  readonly scenarios: Readonly<Record<string, Verdict>>;
}

export const passes = (test: ConformanceFile | OurTest): Verdict => ({ kind: 'passes', test });

export function replaced(instead: string, test?: ConformanceFile | OurTest): Verdict {
  return { kind: 'replaced', instead, ...(test === undefined ? {} : { test }) };
}

export const not = (why: string): Verdict => ({ kind: 'not_applicable', why });
