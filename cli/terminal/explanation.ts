import { connectionError } from './connection-error.ts';
import { ExplainedError } from './explained-error.ts';
import { printableError } from './printable.ts';

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
