import { TOKEN_BYTES } from '../api-token.ts';
import { CODE_BYTES, encoded, hashStart, SESSION_ID_CHARACTERS } from '../portal/portal-secrets.ts';

/** Of their own form, so that neither a portal's code nor its token is ever looked up as a stage's. */
export function stageCodeOf(bytes: Uint8Array): string {
  return `phc_stage_${encoded(bytes, CODE_BYTES)}`;
}

export function stageSessionIdOf(code: string): string {
  return `stg_${hashStart(code)}`;
}

/** A token contains the id of its session, by which it is found, and 256 random bits. */
export function stageTokenOf(sessionId: string, bytes: Uint8Array): string {
  return `${TOKEN_PREFIX}${sessionId.slice('stg_'.length)}${encoded(bytes, TOKEN_BYTES)}`;
}

const TOKEN_PREFIX = 'phs_stage_';

/** The id of the session that a token names; undefined for any other token. */
export function stageSessionIdIn(token: string): string | undefined {
  return token.startsWith(TOKEN_PREFIX)
    ? `stg_${token.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + SESSION_ID_CHARACTERS)}`
    : undefined;
}

export function isStageSessionId(id: string): boolean {
  return /^stg_[A-Za-z0-9_-]{22}$/.test(id);
}
