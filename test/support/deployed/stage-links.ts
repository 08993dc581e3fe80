import { randomBytes } from 'node:crypto';
import { stageCodeOf } from '../../../functions/core/api/stage/stage-secrets.ts';
import { newStageSession } from '../../../functions/core/api/stage/stage-session.ts';
import type { StageSessionStore } from '../../../functions/core/api/stage/stage-session-store.ts';

/** Codes of links to the console of the whole stage, for on call, that nobody has used. */
export async function stageCodes(
  sessions: Pick<StageSessionStore, 'add'>,
  count: number,
  nowMs: number,
): Promise<string[]> {
  const codes = Array.from({ length: count }, () => stageCodeOf(randomBytes(32)));
  for (const code of codes) {
    await sessions.add(newStageSession({ rights: 'on-call', who: 'ada', lastsSeconds: 3_600 }, code, nowMs));
  }
  return codes;
}
