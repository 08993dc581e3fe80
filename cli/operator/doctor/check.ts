import type { ExaminedStage } from './examined-stage.ts';

export const OUTCOMES = ['ok', 'warning', 'failed', 'could not be checked'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Finding {
  readonly outcome: Outcome;
  /** What was seen, on one line. */
  readonly seen: string;
  /** What to do, one sentence for each thing; none when all is well. */
  readonly todo: readonly string[];
  readonly details?: readonly string[];
}

/** Examines one thing. Changes nothing, except for the end-to-end check, which cleans up. */
export interface Check<Of = ExaminedStage> {
  /** Kebab-case; `--only` takes it. */
  readonly name: string;
  /** The items of docs/aws-checklist.md that it replaces … */
  readonly items?: readonly number[];
  /** … and those that it replaces in part. */
  readonly partOf?: readonly number[];
  /** Why the emulator cannot tell. @default - it can */
  readonly notEmulated?: string;
  /** May reject: the caller reports what AWS refuses as a finding. */
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

/** Failed with the problems when there are any, else ok. */
export function judged(problems: readonly string[], well: string, ...todo: string[]): Finding {
  return problems.length === 0 ? ok(well) : failed(problems.join('; '), ...todo);
}
