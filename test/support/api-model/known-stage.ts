import { randomBytes } from 'node:crypto';
import { STAGE_RIGHTS, type StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import { stageCodeOf } from '../../../functions/core/api/stage/stage-secrets.ts';
import { newStageSession } from '../../../functions/core/api/stage/stage-session.ts';
import type { StageSessionStore } from '../../../functions/core/api/stage/stage-session-store.ts';

/** The links to the console of the whole stage, and who is signed in. */
export interface KnownStage {
  readonly links: { readonly code: string; readonly rights: StageRights; isUsed: boolean }[];
  /** The session that the last link with these rights was exchanged for. */
  readonly sessions: Record<StageRights, { readonly token: string; isEnded: boolean }>;
}

const LINKS = 3;

/** A stage with links that nobody has used. */
export async function newStage(sessions: Pick<StageSessionStore, 'add'>, nowMs: number): Promise<KnownStage> {
  const links: KnownStage['links'] = [];
  for (const rights of STAGE_RIGHTS) {
    for (let number = 1; number <= LINKS; number += 1) {
      const code = stageCodeOf(randomBytes(32));
      await sessions.add(newStageSession({ rights, who: 'ada', lastsSeconds: 3_600 }, code, nowMs));
      links.push({ code, rights, isUsed: false });
    }
  }
  const nobody = { token: 'none', isEnded: true };
  return { links, sessions: { 'on-call': nobody, analyst: nobody } };
}
