import type { ApiTokenStore } from '../../../functions/api/authorize/api-token-store.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { removalOf, SCOPES, type TokenRecord } from '../../../functions/core/api/api-token.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { printable } from '../../terminal/printable.ts';
import { type Operators, recorded } from '../trail/operators-trail.ts';
import { TOKEN_HELP, type TokenOptions, tokenOptions } from './token-options.ts';
import { madeText, revocationText, tokensText, viewOf } from './token-report.ts';

export interface TokenSurroundings {
  /** @throws ExplainedError when the stage cannot be reached */
  tokens(stage: string): Promise<ApiTokenStore>;
  /** Where what operators do is kept, and who this one is. */
  operators(stage: string): Promise<Operators>;
  now(): number;
  print(text: string): void;
}

/** @throws ExplainedError when what was asked for does not make sense */
export async function tokenCommand(args: string[], surroundings: TokenSurroundings): Promise<void> {
  const options = tokenOptions(args);
  if (options === 'help') {
    surroundings.print(TOKEN_HELP);
    return;
  }
  const tokens = await surroundings.tokens(options.stage);
  const operators = () => surroundings.operators(options.stage);
  const { text, json } = await COMMANDS[options.command](options, tokens, surroundings.now(), operators);
  surroundings.print(`${options.json ? JSON.stringify(json) : text}\n`);
}

type Command = (
  options: TokenOptions,
  tokens: ApiTokenStore,
  nowMs: number,
  operators: () => Promise<Operators>,
) => Promise<{ readonly text: string; readonly json: object }>;

const create: Command = async (options, tokens, nowMs, operators) => {
  const { 'expires-in-days': expiresInDays, 'requests-per-minute': requestsPerMinute } = options;
  const wanted = {
    serviceId: options.service,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
    ...(expiresInDays === undefined ? {} : { expiresInDays }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
  const { serviceId: service_id, ...given } = wanted;
  const asked = { service: service_id, ...given, scopes: (wanted.scopes ?? SCOPES).join(',') };
  const { token, record } = await recorded(
    await operators(),
    { command: 'token create', arguments: asked },
    async () => {
      const result = await createToken(tokens, wanted, nowMs);
      const { token_id, scopes } = result.record;
      const changed = { token: { to: token_id }, scopes: { to: scopes } };
      return {
        result,
        outcome: { token_id },
        changes: [{ service_id, operation: 'createToken', changed }],
      };
    },
  );
  const view = viewOf(record, nowMs);
  return { text: madeText(token, view, options.stage), json: { token, ...view } };
};

const list: Command = async ({ service }, tokens, nowMs) => {
  const views = (await tokens.ofService(service)).map((record) => viewOf(record, nowMs));
  return { text: tokensText(service, views), json: { tokens: views } };
};

const revoke: Command = async ({ service, stage, token_id, yes }, tokens, nowMs, operators) => {
  const all = await tokens.ofService(service);
  const record = all.find((candidate) => candidate.token_id === token_id);
  if (record === undefined) {
    throw new ExplainedError(`${service} has no token ${token_id} on ${stage}; ${namesOf(all)}`);
  }
  const view = viewOf(record, nowMs);
  if (record.revoked_at === undefined && !yes) {
    return {
      text: `${revocationText(view)}\nNothing was changed. --yes does it.`,
      json: { would_revoke: view },
    };
  }
  const revoked_at = new Date(nowMs).toISOString();
  if (record.revoked_at === undefined) {
    const deed = { command: 'token revoke', arguments: { service, token_id: record.token_id } };
    await recorded(await operators(), deed, async () => {
      await tokens.revoke(record.token_hash, { revoked_at, remove_at_epoch_seconds: removalOf(nowMs) });
      const changed = { token: { from: record.token_id } };
      return {
        result: undefined,
        outcome: { revoked: 1 },
        changes: [{ service_id: service, operation: 'revokeToken', changed }],
      };
    });
  }
  // Whoever was first has said when.
  const since = record.revoked_at ?? revoked_at;
  return {
    text:
      record.revoked_at === undefined
        ? `${token_id} is revoked: whoever sends it is refused from the next request on.`
        : `${token_id} was revoked already, at ${since}.`,
    json: viewOf({ ...record, revoked_at: since }, nowMs),
  };
};

const COMMANDS: Readonly<Record<TokenOptions['command'], Command>> = { create, list, revoke };

function namesOf(tokens: readonly TokenRecord[]): string {
  const names = tokens.map(({ token_id, description }) =>
    description === '' ? token_id : `${token_id} (${printable(description)})`,
  );
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
}
