import * as z from 'zod';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import {
  DEFAULT_REQUESTS_PER_MINUTE,
  MAX_REQUESTS_PER_MINUTE,
  removalOf,
  SCOPES,
  type Scope,
  type TokenRecord,
} from '../../../functions/core/api/api-token.ts';
import type { ApiTokenStore } from '../../../functions/core/api/api-token-store.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { wholeNumberOption } from '../../terminal/option-kinds.ts';
import { printable } from '../../terminal/terminal.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, ON_STAGE, operatorCommand, SERVICE } from '../operator-command.ts';
import { stageTokens } from './portal-stage.ts';
import { madeText, revocationText, tokensText, viewOf } from './token-report.ts';

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

const FOR_CREATE = {
  scopes: {
    value: 'LIST',
    check: z
      .string()
      .transform((list) => [...new Set(list.split(','))])
      .refine((names) => names.every(isScope), `must be ${SCOPES.join(' or ')}, or both joined by a comma`)
      .transform((names) => names.filter(isScope)),
    help: `what it may do: ${SCOPES.join(', ')}, or both joined by a comma (default: ${SCOPES.join(',')})`,
  },
  'expires-in-days': wholeNumberOption('after how many days to refuse it (default: never)', 1, 9_999),
  'requests-per-minute': wholeNumberOption(
    `answer 429 above this rate (default: ${DEFAULT_REQUESTS_PER_MINUTE})`,
    1,
    MAX_REQUESTS_PER_MINUTE,
  ),
  description: {
    value: 'TEXT',
    check: z.string().max(200, 'must be at most 200 characters'),
    help: 'what it is for, at most 200 characters',
  },
} as const;

const REMARKS = `To replace a token: create the next one, have the service use it, check with token list that the old one is not used any more,
then revoke it. Revoking a token ends the portal sessions that it made, too. Only the SHA-256 of a token is stored: nobody can look one up.`;

export function tokenCommands(tokensOf: (stage: ChosenDeployment) => Promise<ApiTokenStore> = stageTokens) {
  return [
    operatorCommand({
      name: 'token create',
      summary: 'Create a token with which the service of a partner calls the HTTP API; it is shown once',
      arguments: { service: SERVICE },
      options: {
        ...FOR_CREATE,
        ...CHANGES_STAGE,
        yes: { help: 'needed on prod; elsewhere it is created at once' },
      },
      example: "bakery --description 'back office' --expires-in-days 365",
      remarks: REMARKS,
      changesAtOnce: true,
      async run(given, { access, now, print }) {
        const { service, stage, scopes, description } = given;
        const { 'expires-in-days': expiresInDays, 'requests-per-minute': requestsPerMinute } = given;
        const wanted = {
          ...(description === undefined ? {} : { description }),
          ...(scopes === undefined ? {} : { scopes }),
          ...(expiresInDays === undefined ? {} : { expiresInDays }),
          ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
        };
        const asked = { service, ...wanted, scopes: (scopes ?? SCOPES).join(',') };
        const [tokens, nowMs] = [await tokensOf(stage), now()];
        const { token, record } = await recorded(
          await (await access(stage)).operators(),
          { command: 'token create', arguments: asked },
          async () => {
            const result = await createToken(tokens, { serviceId: service, ...wanted }, nowMs);
            const { token_id, scopes } = result.record;
            const changed = { token: { to: token_id }, scopes: { to: scopes } };
            return {
              result,
              outcome: { token_id },
              changes: [{ service_id: service, operation: 'createToken', changed }],
            };
          },
        );
        const view = viewOf(record, nowMs);
        print(madeText(token, view, stage), { token, ...view });
        return true;
      },
    }),
    operatorCommand({
      name: 'token list',
      summary: 'List the tokens of a service and their states',
      arguments: { service: SERVICE },
      options: ON_STAGE,
      example: 'bakery',
      remarks: REMARKS,
      async run({ service, stage }, { now, print }) {
        const records = await (await tokensOf(stage)).ofService(service);
        const views = records.map((record) => viewOf(record, now()));
        print(tokensText(service, views), { tokens: views });
        return true;
      },
    }),
    operatorCommand({
      name: 'token revoke',
      summary: 'Revoke a token for good; takes effect with the next request',
      arguments: {
        service: SERVICE,
        token_id: {
          check: z
            .string()
            .regex(/^tok_[0-9a-f]{16}$/, 'must be tok_ and 16 of 0-9 a-f, as token list shows it'),
          help: 'tok_…, as token create and token list show it',
        },
      },
      options: CHANGES_STAGE,
      example: 'bakery tok_0123456789abcdef --yes',
      remarks: REMARKS,
      async run({ service, stage, token_id, yes }, { access, now, print }) {
        const tokens = await tokensOf(stage);
        const all = await tokens.ofService(service);
        const record = all.find((candidate) => candidate.token_id === token_id);
        if (record === undefined) {
          throw new ExplainedError(`${service} has no token ${token_id} on ${stage}; ${namesOf(all)}`);
        }
        const nowMs = now();
        if (record.revoked_at !== undefined) {
          print(`${token_id} was revoked already, at ${record.revoked_at}.`, viewOf(record, nowMs));
          return true;
        }
        const view = viewOf(record, nowMs);
        if (!yes) {
          print(`${revocationText(view)}\nNothing was changed. --yes does it.`, { would_revoke: view });
          return true;
        }
        const revoked_at = new Date(nowMs).toISOString();
        const deed = { command: 'token revoke', arguments: { service, token_id } };
        await recorded(await (await access(stage)).operators(), deed, async () => {
          await tokens.revoke(record.token_hash, { revoked_at, remove_at_epoch_seconds: removalOf(nowMs) });
          return {
            result: undefined,
            outcome: { revoked: 1 },
            changes: [
              { service_id: service, operation: 'revokeToken', changed: { token: { from: token_id } } },
            ],
          };
        });
        print(
          `${token_id} is revoked: whoever sends it is refused from the next request on.`,
          viewOf({ ...record, revoked_at }, nowMs),
        );
        return true;
      },
    }),
  ];
}

function namesOf(tokens: readonly TokenRecord[]): string {
  const names = tokens.map(({ token_id, description }) =>
    description === '' ? token_id : `${token_id} (${printable(description)})`,
  );
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
}
