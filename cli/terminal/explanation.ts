import { printableError } from './terminal.ts';

/** What a person can do about an error of a command or of AWS; undefined when only a stack trace helps. */
export function explanation(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  if (Reflect.get(error, 'code') === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const [, option] = /^Unknown option '([^']+)'/.exec(error.message) ?? [];
    return option === undefined ? error.message : `There is no option ${option}; --help lists all`;
  }
  if (error instanceof ExplainedError || String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')) {
    return error.message;
  }
  if (/Region is missing/.test(error.message)) {
    return 'no AWS region is set: set AWS_REGION, or AWS_PROFILE to a profile that has one (for the local stack: --stage local)';
  }
  if (/^Stack with id .* does not exist/.test(error.message)) {
    return `${error.message} in this account and region: is the stage deployed, and are these the right credentials?`;
  }
  switch (error.name) {
    case 'CredentialsProviderError':
      return 'no AWS credentials were found: set AWS_PROFILE, or log in with: aws sso login';
    case 'ExpiredToken':
    case 'ExpiredTokenException':
      return 'the AWS credentials have expired: log in again';
    case 'AccessDenied':
    case 'AccessDeniedException':
      return `these AWS credentials may not do that: ${error.message}`;
    default:
      return connectionText(error);
  }
}

function connectionText(error: Error): string | undefined {
  const failure = connectionError(error);
  if (failure === undefined) {
    return undefined;
  }
  const cause = error.cause instanceof Error ? error.cause : error;
  // An error of several addresses has no message of its own.
  const what = cause.message === '' ? failure.code : cause.message;
  return `${failure.kind === 'silent' ? 'nothing answers' : 'the connection failed'}: ${what}`;
}

/** Runs a program; an error goes to stderr, with exit code 1. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(printableError(explanation(error) ?? error));
    process.exitCode = 1;
  }
}

/** Why a request got no answer, with the code of Node or undici. */
export interface ConnectionError {
  readonly code: string;
  /**
   * `silent`: nothing answers. `untrusted`: the certificate is not trusted. `broken`: the answer is
   * incomplete or not HTTP.
   */
  readonly kind: 'silent' | 'untrusted' | 'broken';
}

const SILENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const UNTRUSTED = /^(CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

/** The connection error in an error, which `fetch` wraps as its cause; undefined when it is another error. */
export function connectionError(error: unknown): ConnectionError | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const code = String(Reflect.get(error, 'code'));
  if (UNTRUSTED.test(code)) {
    return { code, kind: 'untrusted' };
  }
  if (SILENT.includes(code) || BROKEN.includes(code)) {
    return { code, kind: SILENT.includes(code) ? 'silent' : 'broken' };
  }
  const cause = connectionError(error.cause);
  if (cause === undefined && error.message === 'fetch failed' && error.cause instanceof Error) {
    const { code: itsCode = error.cause.message } = error.cause as NodeJS.ErrnoException;
    return { code: itsCode, kind: 'broken' };
  }
  return cause;
}

export function connectionErrorSentence({ code, kind }: ConnectionError, where: string): string {
  switch (kind) {
    case 'silent':
      return `Nothing answers at ${where} (${code}).`;
    case 'untrusted':
      return `The certificate of ${where} is not trusted (${code}).`;
    case 'broken':
      return `The connection to ${where} failed (${code}).`;
  }
}

/** An error for the user to fix. The message says what was found and what to do, without a stack trace. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';

  /** The error for programs. */
  get problem(): unknown {
    return { detail: this.message };
  }
}
