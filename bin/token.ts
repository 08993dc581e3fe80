import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { apiTokenTable } from '../functions/adapters/api-token-table.ts';
import { createToken } from '../functions/authorize/create-token.ts';
import { serviceIdSchema } from '../functions/core/api-token.ts';
import { STAGES } from '../lib/stages.ts';
import { ExplainedError } from '../local/explained-error.ts';
import { clientConfig } from '../local/local-account.ts';
import { LOCAL_DIRECTORY } from '../local/project-paths.ts';

const HELP = `Makes an API token with which a partner's service calls the HTTP API.

  npm run token -- create <service> [options]

  <service>              id of the service, as payment events carry it in service_id
  --stage NAME           ${Object.keys(STAGES).join(', ')} (default: dev)
  --description TEXT     what the token is for
  --expires-in-days N    the token is refused after so many days (default: never)
  --json                 print one JSON object
  --help

The token is printed once and kept nowhere; the table holds its SHA-256. To revoke it,
delete the item of that hash from the table.
`;

const argumentsSchema = z.object({
  service: serviceIdSchema,
  stage: z.enum(
    Object.keys(STAGES),
    `there is none of that name; there is ${Object.keys(STAGES).join(', ')}`,
  ),
  description: z.string().max(200),
  'expires-in-days': z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999')
    .transform(Number)
    .optional(),
});

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'dev' },
      description: { type: 'string', default: '' },
      'expires-in-days': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [command, service, ...rest] = positionals;
  if (command !== 'create' || service === undefined || rest.length > 0) {
    throw new ExplainedError('say: npm run token -- create <service>; --help tells the rest');
  }
  const wish = argumentsSchema.safeParse({ ...values, service });
  if (!wish.success) {
    throw new ExplainedError(
      wish.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  const { stage, description, 'expires-in-days': expiresInDays } = wish.data;

  const { client, table } = stage === 'local' ? await localTable() : await deployedTable(stage);
  const { token, record } = await createToken(apiTokenTable(client, table), {
    serviceId: wish.data.service,
    description,
    ...(expiresInDays === undefined ? {} : { expiresInDays }),
  });
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ token, ...record, table })}\n`
      : `${token}\n\nThis is the only time it is shown. It is kept as ${record.token_hash} in ${table}.\n`,
  );
}

const localOutputsSchema = z.object({ endpoint: z.string(), tables: z.object({ apiTokens: z.string() }) });

async function localTable() {
  const file = join(LOCAL_DIRECTORY, 'outputs.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ExplainedError(
      `the local stack does not run: there is no ${file}. Start it with: npm run local`,
    );
  });
  const { endpoint, tables } = localOutputsSchema.parse(JSON.parse(text));
  return { client: new DynamoDBClient(clientConfig(endpoint)), table: tables.apiTokens };
}

async function deployedTable(stage: string) {
  const StackName = `payhooks-${stage}-data`;
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const table = outputs.find(({ OutputKey }) => OutputKey === 'ApiTokensTableName')?.OutputValue;
  if (table === undefined) {
    throw new ExplainedError(`the stack ${StackName} has no output ApiTokensTableName: deploy it again`);
  }
  return { client: new DynamoDBClient(), table };
}

/** What a person can do about it; undefined when only a stack trace helps. */
function explanation(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  if (error instanceof ExplainedError || String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')) {
    return error.message;
  }
  if (/Region is missing/.test(error.message)) {
    return 'no AWS region is set: set AWS_REGION, or AWS_PROFILE to a profile that has one';
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
      return 'code' in error && error.code === 'ECONNREFUSED'
        ? `nothing answers: ${error.message}`
        : undefined;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explanation(error) ?? error);
  process.exitCode = 1;
});
