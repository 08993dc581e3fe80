import type { ApiTokenStore } from '../functions/authorize/api-token-store.ts';
import { createToken } from '../functions/authorize/create-token.ts';
import { removalOf, type TokenRecord } from '../functions/core/api-token.ts';
import { ExplainedError } from '../local/explained-error.ts';
import { TOKEN_HELP, type TokenOptions, tokenOptions } from './token-options.ts';
import { madeText, tokensText, viewOf } from './token-report.ts';

export interface TokenSurroundings {
  /** @throws ExplainedError when the stage cannot be reached */
  tokens(stage: string): Promise<ApiTokenStore>;
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
  const { text, json } = await COMMANDS[options.command](options, tokens, surroundings.now());
  surroundings.print(`${options.json ? JSON.stringify(json) : text}\n`);
}

type Command = (
  options: TokenOptions,
  tokens: ApiTokenStore,
  nowMs: number,
) => Promise<{ readonly text: string; readonly json: object }>;

const create: Command = async (options, tokens, nowMs) => {
  const { 'expires-in-days': expiresInDays, 'requests-per-minute': requestsPerMinute } = options;
  const wish = {
    serviceId: options.service,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.scopes === undefined ? {} : { scopes: options.scopes }),
    ...(expiresInDays === undefined ? {} : { expiresInDays }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
  const { token, record } = await createToken(tokens, wish, nowMs);
  const view = viewOf(record, nowMs);
  return { text: madeText(token, view, options.stage), json: { token, ...view } };
};

const list: Command = async ({ service }, tokens, nowMs) => {
  const views = (await tokens.ofService(service)).map((record) => viewOf(record, nowMs));
  return { text: tokensText(service, views), json: { tokens: views } };
};

const revoke: Command = async ({ service, stage, token_id }, tokens, nowMs) => {
  const all = await tokens.ofService(service);
  const record = all.find((candidate) => candidate.token_id === token_id);
  if (record === undefined) {
    throw new ExplainedError(`${service} has no token ${token_id} on ${stage}; ${namesOf(all)}`);
  }
  const revoked_at = new Date(nowMs).toISOString();
  await tokens.revoke(record.token_hash, {
    revoked_at,
    remove_at_epoch_seconds: removalOf(nowMs),
  });
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
    description === '' ? token_id : `${token_id} (${description})`,
  );
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
}
