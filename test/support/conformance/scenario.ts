/**
 * What we have for a scenario of a peer. `instead` is Markdown, with a link from `docs/` to where it is told.
 * `test` is a file in which one title names the scenario: of `test/thorough/conformance`, or with a path
 * below `test/`; without `.test.ts`.
 */
export type Verdict =
  | { readonly kind: 'passes'; readonly test: string }
  | { readonly kind: 'replaced'; readonly instead: string; readonly test: string }
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

export const passes = (test: string): Verdict => ({ kind: 'passes', test });

export const replaced = (instead: string, test: string): Verdict => ({ kind: 'replaced', instead, test });

export const not = (why: string): Verdict => ({ kind: 'not_applicable', why });
