import { missingScopes } from '../../../functions/api/caller.ts';
import type { Described } from '../../../functions/api/operation.ts';
import { STAGE_RIGHTS, type StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import type { KnownStage } from './known-stage.ts';
import type { Outcome, Rights, Sending } from './world.ts';

/** Names the service that a session of the whole stage asks about. */
export const SERVICE_HEADER = 'payhooks-service';

const SCOPES = { all: ['read', 'write'], read: ['read'], none: [] } as const;

const isOfStage = (rights: Rights): rights is StageRights =>
  (STAGE_RIGHTS as readonly Rights[]).includes(rights);

/** Whether a session of the whole stage asks; where no token is needed, nobody in particular does. */
export function asksForStage({ scope }: Described, { rights }: Pick<Sending, 'rights'>): boolean {
  return isOfStage(rights) && scope !== 'none';
}

/** What keeps somebody from an operation because of who they are; undefined: nothing. */
export function barrier(
  operation: Described,
  { rights, headers }: Pick<Sending, 'rights' | 'headers'>,
  { sessions }: KnownStage,
): Outcome | undefined {
  const { id, method, scope } = operation;
  if (scope === 'none') {
    return undefined;
  }
  if (rights === 'none' || (isOfStage(rights) && sessions[rights].isEnded)) {
    return 'unauthorized';
  }
  if (!isOfStage(rights)) {
    const isLimited = missingScopes(scope, { scopes: SCOPES[rights] }).length > 0;
    return operation.isOfStage ? 'stage-session' : isLimited ? 'insufficient-scope' : undefined;
  }
  if (operation.isOfStage) {
    return id === 'operateCircuit' && rights === 'analyst' ? 'stage-session' : undefined;
  }
  if (method !== 'GET' || id === 'listPortalSessions') {
    return 'stage-session';
  }
  return headers[SERVICE_HEADER] === undefined ? 'malformed-request' : undefined;
}

const LEFT_OUT = [
  ...['body', 'response_body', 'failure_reason', 'contact', 'public_key', 'secret_id', 'schema', 'sample'],
  // Of changes: what became of a recovery or a portal session.
  ...['recovery', 'portal_session', 'rights'],
];
const EMPTY = ['description', 'signing_secrets', 'custom_header_names'];

/** What those who run the stage see of an answer to a service. */
export function asStageSees(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, member) => {
    if (LEFT_OUT.includes(name)) {
      return undefined;
    }
    if (EMPTY.includes(name)) {
      return typeof member === 'string' ? '' : Array.isArray(member) ? [] : undefined;
    }
    return name === 'callback_url' ? hostOf(member) : member;
  });
}

/** Also of what a change says of before and after. */
function hostOf(url: string | Readonly<Record<string, string>>): unknown {
  return typeof url === 'string'
    ? `${new URL(url).origin}/`
    : Object.fromEntries(Object.entries(url).map(([name, one]) => [name, hostOf(one)]));
}
