import type { ExaminedStage } from './examined-stage.ts';

export const OUTCOMES = ['ok', 'warning', 'failed', 'could not be checked'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a check has come to. */
export interface Finding {
  readonly outcome: Outcome;
  /** What was seen, on one line. */
  readonly seen: string;
  /** What to do, one sentence for each thing; none when all is well. */
  readonly todo: readonly string[];
  /** What there is besides, one line each, for whoever reads on. */
  readonly details?: readonly string[];
}

/** One thing that is looked at; changes nothing, but for the end-to-end check, which cleans up. */
export interface Check<Of = ExaminedStage> {
  /** Kebab-case; `--only` takes it. */
  readonly name: string;
  /** The items of docs/aws-checklist.md that need nobody's hands any more because of it … */
  readonly items?: readonly number[];
  /** … and those of which it does a part. */
  readonly partOf?: readonly number[];
  /** Why the emulator cannot tell. @default - it can */
  readonly notEmulated?: string;
  /** May reject: whatever AWS refuses is told as a finding by whoever runs it. */
  run(stage: Of): Promise<Finding>;
}

export function ok(seen: string, details: readonly string[] = []): Finding {
  return { outcome: 'ok', seen, todo: [], details };
}

export function warning(seen: string, ...todo: string[]): Finding {
  return { outcome: 'warning', seen, todo };
}

export function failed(seen: string, ...todo: string[]): Finding {
  return { outcome: 'failed', seen, todo };
}

/** Failed with the faults when there are any, else ok. */
export function judged(faults: readonly string[], well: string, ...todo: string[]): Finding {
  return faults.length === 0 ? ok(well) : failed(faults.join('; '), ...todo);
}
