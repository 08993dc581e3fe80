import { explanation } from '../../terminal/explanation.ts';
import type { Check, Finding } from './check.ts';
import type { StageInAccount } from './examined-stage.ts';
import { refusalIn, remedyOf } from './permissions/refusal.ts';

export interface Examined extends Finding {
  readonly name: string;
  /** Items of docs/aws-checklist.md that it is about. */
  readonly items: readonly number[];
  /** It cannot be checked on the emulator: nobody has to do anything. */
  readonly isExcused: boolean;
}

type Examining = Pick<StageInAccount<{ readonly emulated: boolean }>, 'settings' | 'signal'>;

/** The result of a check, whatever happens: what AWS refuses is a finding too. */
async function examine<Of extends Examining>(check: Check<Of>, stage: Of): Promise<Examined> {
  const items = [...(check.items ?? []), ...(check.partOf ?? [])];
  const about = { name: check.name, items, isExcused: false };
  if (stage.settings.emulated && check.notEmulated !== undefined) {
    const seen = `not on the emulator: ${check.notEmulated}`;
    return { ...about, outcome: 'could not be checked', seen, todo: [], isExcused: true };
  }
  try {
    return { ...about, ...(await check.run(stage)) };
  } catch (error) {
    if (stage.signal?.aborted) {
      throw error;
    }
    return { ...about, outcome: 'could not be checked', ...reasonOf(error) };
  }
}

export async function examineAll<Of extends Examining>(
  checks: readonly Check<Of>[],
  stage: Of,
  progress?: (line: string) => void,
): Promise<readonly Examined[]> {
  const findings: Examined[] = [];
  for (const [index, check] of checks.entries()) {
    progress?.(`${index + 1} of ${checks.length}: ${check.name} …`);
    findings.push(await examine(check, stage));
  }
  return findings;
}

function reasonOf(error: unknown): Pick<Finding, 'seen' | 'todo'> {
  const refusal = refusalIn(error);
  if (refusal !== undefined) {
    return {
      seen: `${refusal.who} may not ${refusal.action} on ${refusal.resource}`,
      todo: [remedyOf(refusal)],
    };
  }
  const what =
    explanation(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return { seen: what.replaceAll('\n', ' '), todo: [] };
}
