import { ExplainedError } from './explained-error.ts';

/** What a person can do about an error of a command, or about what AWS answered it; undefined when only a stack trace helps. */
export function explanation(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
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
      return Reflect.get(error, 'code') === 'ECONNREFUSED' ? `nothing answers: ${error.message}` : undefined;
  }
}

/** Runs a command; what goes wrong is told on stderr and by the exit code 1. */
export async function runCommand(main: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(explanation(error) ?? error);
    process.exitCode = 1;
  }
}
