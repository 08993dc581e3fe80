import { createHash } from 'node:crypto';
import { TOKEN_BYTES } from '../api-token.ts';

/** 256 bits: nobody guesses a code, at any rate of trying. */
export const CODE_BYTES = 32;

/** Encodes random bytes as a code. The prefix lets secret scanners find a leaked link. */
export function codeOf(bytes: Uint8Array): string {
  return `phc_${encoded(bytes, CODE_BYTES)}`;
}

export const SESSION_ID_CHARACTERS = 22;

export function sessionIdOf(code: string): string {
  return `ses_${hashStart(code)}`;
}

/** 132 bits of the hash of a code: who has the code finds the session, but not the reverse. */
export function hashStart(code: string): string {
  return createHash('sha256').update(code).digest('base64url').slice(0, SESSION_ID_CHARACTERS);
}

/** Where an API has its console, with the code in the fragment, which no browser sends to a server. */
export function consolePathOf(code: string): string {
  return `/v1/console#code=${code}`;
}

/** A token contains the id of its session, by which it is found, and 256 random bits. */
export function sessionTokenOf(sessionId: string, bytes: Uint8Array): string {
  return `phs_${sessionId.slice('ses_'.length)}${encoded(bytes, TOKEN_BYTES)}`;
}

/** The id of the session that a token names; undefined for the token of a service. */
export function sessionIdIn(token: string): string | undefined {
  return token.startsWith('phs_')
    ? `ses_${token.slice('phs_'.length, 'phs_'.length + SESSION_ID_CHARACTERS)}`
    : undefined;
}

export function isSessionId(id: string): boolean {
  return /^ses_[A-Za-z0-9_-]{22}$/.test(id);
}

export function encoded(bytes: Uint8Array, wanted: number): string {
  if (bytes.length !== wanted) {
    throw new RangeError(`it takes ${wanted} random bytes, not ${bytes.length}`);
  }
  return Buffer.from(bytes).toString('base64url');
}
