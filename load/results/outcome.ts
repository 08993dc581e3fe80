/** What came of a load run. `void`: it shows nothing broken, and proves nothing. */
export const OUTCOMES = ['passed', 'failed', 'void'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Of the command, by outcome. */
export const EXIT_CODES = { passed: 0, failed: 1, void: 3 } as const satisfies Record<Outcome, number>;

export interface Judged {
  readonly outcome: Outcome;
  /** Why it failed or is void; empty when it passed. */
  readonly reasons: readonly string[];
}

/** Of what was due: a generator that did less did not do what the run claims. */
export const LEAST_SHARE = 0.8;

/** The gap of a run whose machine could not offer the planned load. */
export function unoffered(published: number, due: number): string[] {
  return published < due * LEAST_SHARE
    ? [`only ${published} of ${Math.round(due)} events were published`]
    : [];
}

/**
 * What is shown to be broken stays broken, whatever else was not measured: gaps only keep a run from passing.
 *
 * @param gaps why it proves nothing: what it claims was not offered, recorded or measured
 * @param broken what it shows to be broken
 */
export function outcomeOf(gaps: readonly string[], broken: readonly string[]): Judged {
  const outcome = broken.length > 0 ? 'failed' : gaps.length > 0 ? 'void' : 'passed';
  return { outcome, reasons: [...broken, ...gaps] };
}
