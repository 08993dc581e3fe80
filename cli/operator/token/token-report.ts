import { stateOf, type TokenRecord } from '../../../functions/core/api/api-token.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { printable, textTable } from '../../terminal/terminal.ts';

/** A token as it is shown: not even its hash. */
export interface TokenView
  extends Pick<
    TokenRecord,
    | 'token_id'
    | 'service_id'
    | 'description'
    | 'scopes'
    | 'requests_per_minute'
    | 'created_at'
    | 'last_used_at'
    | 'revoked_at'
  > {
  readonly state: ReturnType<typeof stateOf>;
  /** ISO 8601. */
  readonly expires_at?: string;
}

export function viewOf(token: TokenRecord, nowMs: number): TokenView {
  const { expires_at_epoch_seconds: expiresAt, last_used_at, revoked_at } = token;
  return {
    token_id: token.token_id,
    service_id: token.service_id,
    state: stateOf(token, nowMs),
    description: token.description,
    scopes: token.scopes,
    requests_per_minute: token.requests_per_minute,
    created_at: token.created_at,
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt * 1_000).toISOString() }),
    ...(last_used_at === undefined ? {} : { last_used_at }),
    ...(revoked_at === undefined ? {} : { revoked_at }),
  };
}

/** A new token: what it may do, and how to use it. */
export function madeText(token: string, view: TokenView, stage: ChosenDeployment): string {
  const { token_id, service_id, scopes, expires_at, requests_per_minute: max } = view;
  const until = expires_at === undefined ? 'never expires' : `expires ${minute(expires_at)} UTC`;
  const may = `${scopes.join(' and ')}, ${until}, ${max} ${max === 1 ? 'request' : 'requests'} a minute`;
  return `${token}

This is the only time it is shown. Its id is ${token_id}.
${token_id} of ${service_id} on ${stage}: ${may}

It goes with each request as the header  authorization: Bearer <token>
For npm run webhooks: PAYHOOKS_TOKEN=<token>, and PAYHOOKS_API_URL=<${stage.isLocal ? 'apiUrl of .local/outputs.json' : `ApiUrl of: npm run ops -- outputs ${stage.option}`}>`;
}

export function revocationText({ token_id, description, last_used_at }: TokenView): string {
  const name = description === '' ? token_id : `${token_id} (${printable(description)})`;
  const use =
    last_used_at === undefined ? 'it was never used' : `it was last used at ${minute(last_used_at)} UTC`;
  return `${name} would be revoked, for good: whoever sends it is refused from the next request on; ${use}.`;
}

const HEADINGS = [
  'token',
  'state',
  'scopes',
  'per minute',
  'created',
  'expires',
  'last used',
  'description',
] as const;

export function tokensText(service: string, tokens: readonly TokenView[]): string {
  if (tokens.length === 0) {
    return `${service} has no tokens.`;
  }
  const rows = tokens.map((token) => [
    token.token_id,
    token.state,
    token.scopes.join(','),
    String(token.requests_per_minute),
    day(token.created_at),
    token.expires_at === undefined ? 'never' : day(token.expires_at),
    token.last_used_at === undefined ? 'never' : minute(token.last_used_at),
    token.description,
  ]);
  return [
    `${service} has ${tokens.length} ${tokens.length === 1 ? 'token' : 'tokens'}, the oldest first; times are UTC:`,
    ...textTable([HEADINGS, ...rows]),
  ].join('\n');
}

function day(instant: string): string {
  return instant.slice(0, 10);
}

function minute(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}
