import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { apiTokenTable } from '../functions/adapters/api-token-table.ts';
import { createToken } from '../functions/authorize/create-token.ts';
import { serviceIdSchema } from '../functions/core/api-token.ts';
import { STAGES } from '../lib/stages.ts';
import { commandOptions } from '../local/command-options.ts';
import { runCommand } from '../local/explanation.ts';
import { clientConfig } from '../local/local-account.ts';
import { readOutputs } from '../local/outputs.ts';
import { stackOutput } from '../local/stack-output.ts';

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
  command: z.literal('create', 'must be create'),
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
  json: z.boolean(),
});

async function main(args: string[]): Promise<void> {
  const defaults = { stage: 'dev', description: '', 'expires-in-days': undefined, json: false } as const;
  const wish = commandOptions(args, defaults, argumentsSchema, ['command', 'service']);
  if (wish === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const { service, stage, description, 'expires-in-days': expiresInDays } = wish;

  const { client, table } = await tokenTable(stage);
  const { token, record } = await createToken(apiTokenTable(client, table), {
    serviceId: service,
    description,
    ...(expiresInDays === undefined ? {} : { expiresInDays }),
  });
  process.stdout.write(
    wish.json
      ? `${JSON.stringify({ token, ...record, table })}\n`
      : `${token}\n\nThis is the only time it is shown. It is kept as ${record.token_hash} in ${table}.\n`,
  );
}

async function tokenTable(stage: string): Promise<{ client: DynamoDBClient; table: string }> {
  if (stage === 'local') {
    const { endpoint, tables } = await readOutputs();
    return { client: new DynamoDBClient(clientConfig(endpoint)), table: tables.apiTokens };
  }
  return { client: new DynamoDBClient(), table: await stackOutput(stage, 'data', 'ApiTokensTableName') };
}

await runCommand(main);
