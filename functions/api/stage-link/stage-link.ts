import * as z from 'zod';
import { consolePathOf } from '../../core/api/portal/portal-secrets.ts';
import type { StageRights } from '../../core/api/stage/stage-rights.ts';
import { stageCodeOf } from '../../core/api/stage/stage-secrets.ts';
import { lastsSecondsSchema, newStageSession } from '../../core/api/stage/stage-session.ts';
import type { StageSessionStore } from '../../core/api/stage/stage-session-store.ts';
import { instant } from '../../core/text/instant.ts';
import { type Operators, recorded } from '../stage/recorded.ts';

const who = z.string().min(1).max(2_048);

/** What people ask for. `who` is what AWS calls them, as their command says. */
const stageLinkRequestSchema = z.union([
  z.strictObject({ make: z.strictObject({ who, lasts_seconds: lastsSecondsSchema }) }),
  z.strictObject({ end: z.strictObject({ who, session_id: z.string() }) }),
]);

export type StageLinkRequest = z.infer<typeof stageLinkRequestSchema>;

export const stageLinkAnswerSchema = z.union([
  z.object({
    made: z.object({
      session_id: z.string(),
      /** The link: to be appended to the base URL of the API. It is in no other answer and no log. */
      console_path: z.string(),
      link_expires_at: z.string(),
      expires_at: z.string(),
    }),
  }),
  /** Whether there was such a session, with these rights. */
  z.object({ ended: z.boolean() }),
]);
type StageLinkAnswer = z.infer<typeof stageLinkAnswerSchema>;

export interface StageLinkPorts {
  readonly sessions: Pick<StageSessionStore, 'add' | 'find' | 'revoke'>;
  readonly trail: Operators['trail'];
  /** What all its sessions may do: whoever may invoke the function may have them. */
  readonly rights: StageRights;
  /** 32 random bytes. */
  random(): Uint8Array;
  now(): number;
  warn(text: string): void;
}

/** Makes or ends a session of the whole stage. */
export async function stageLink(event: unknown, ports: StageLinkPorts): Promise<StageLinkAnswer> {
  const request = stageLinkRequestSchema.parse(event);
  return 'make' in request ? make(request.make, ports) : end(request.end, ports);
}

async function make(
  { who, lasts_seconds }: { readonly who: string; readonly lasts_seconds: number },
  { sessions, trail, rights, random, now, warn }: StageLinkPorts,
): Promise<StageLinkAnswer> {
  const code = stageCodeOf(random());
  const session = newStageSession({ rights, who, lastsSeconds: lasts_seconds }, code, now());
  const { session_id, link_expires_at_epoch_seconds, expires_at_epoch_seconds } = session;
  await recorded(
    { trail, who },
    { command: 'console', arguments: { rights, session: session_id } },
    async () => {
      await sessions.add(session);
      return { result: undefined, outcome: { made: 1 } };
    },
    warn,
  );
  return {
    made: {
      session_id,
      console_path: consolePathOf(code),
      link_expires_at: instant(link_expires_at_epoch_seconds * 1_000),
      expires_at: instant(expires_at_epoch_seconds * 1_000),
    },
  };
}

async function end(
  { who, session_id }: { readonly who: string; readonly session_id: string },
  { sessions, trail, rights, now, warn }: StageLinkPorts,
): Promise<StageLinkAnswer> {
  const found = await sessions.find(session_id);
  if (found?.rights !== rights) {
    return { ended: false };
  }
  await recorded(
    { trail, who },
    { command: 'end-console', arguments: { rights, session: session_id } },
    async () => {
      await sessions.revoke(session_id, instant(now()));
      return { result: undefined, outcome: { ended: 1 } };
    },
    warn,
  );
  return { ended: true };
}
