import * as z from 'zod';
import type { ApiPorts } from '../../../../functions/api/api-request.ts';
import type { Operation } from '../../../../functions/api/operation.ts';
import { inMemoryHistory } from '../../../../functions/api/operations/messages/message-history.ts';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { inMemoryAuditTrail } from '../../../../functions/api/ports/audit-trail.ts';
import { inMemoryRecoveries } from '../../../../functions/api/ports/recovery-registry.ts';
import { inMemoryRegistry } from '../../../../functions/api/ports/subscription-registry.ts';
import type { Signal } from '../../../../functions/core/ordering/signal.ts';
import { apiOver, messageRecord, signalKind } from '../builders.ts';

/** What the schemas alone do not tell: a value that will do, by the name of the member. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...signalKind,
  since: '2026-11-14T09:00:00Z',
  payment_id: 'pay_1',
};

/** Where an empty body says nothing. */
const BODIES: Readonly<Record<string, unknown>> = { updateSubscription: { description: 'other orders' } };

/** What has to be done first, for the operation to have something to change. */
const BEFORE: Readonly<Record<string, string>> = {
  enableSubscription: 'pauseSubscription',
  revokeSecret: 'rotateSecret',
};

type JsonSchema = { readonly properties?: Record<string, object>; readonly required?: string[] };

/** The members that an operation takes in its body. */
export function membersOf({ body }: Operation): string[] {
  return body === undefined ? [] : Object.keys(jsonSchemaOf(body).properties ?? {});
}

/** The parameters that an operation takes in its query. */
export function parametersOf({ query }: Operation): string[] {
  return query === undefined ? [] : Object.keys(jsonSchemaOf(query).properties ?? {});
}

function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A body that the operation takes, with no more than it needs. */
export function bodyFor({ id, body }: Operation): unknown {
  if (body === undefined || id in BODIES) {
    return BODIES[id];
  }
  return requiredOf(body);
}

/** A query that the operation takes, with no more than it needs. */
export function queryFor({ query }: Operation): Record<string, string> {
  return query === undefined ? {} : (requiredOf(query) as Record<string, string>);
}

function requiredOf(schema: z.core.$ZodType): Record<string, unknown> {
  const names = jsonSchemaOf(schema).required ?? [];
  const unknown = names.filter((name) => !(name in VALUES));
  if (unknown.length > 0) {
    throw new Error(`say in VALUES what will do for ${unknown}`);
  }
  return Object.fromEntries(names.map((name) => [name, VALUES[name]]));
}

export function named(id: string): Operation {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) {
    throw new Error(`there is no operation ${id}`);
  }
  return operation;
}

/** A service `shop` with one of everything, and whatever has been done in its name. */
export async function shopWithEverything() {
  const subscriptions = inMemoryRegistry();
  const recoveries = inMemoryRecoveries();
  const created = await apiOver({ subscriptions })({
    method: 'POST',
    path: '/v1/subscriptions',
    body: signalKind,
  });
  const { subscription_id } = created.body;
  const history = inMemoryHistory([
    { record: messageRecord({ message_id: 'msg_1', subscription_id }), laterAttempts: [] },
  ]);
  const audit = inMemoryAuditTrail();
  const signalled: Signal[] = [];
  const ports: Partial<ApiPorts> = {
    subscriptions,
    recoveries,
    history,
    audit,
    async signal(signals) {
      signalled.push(...signals);
      return [];
    },
  };
  const api = apiOver(ports);
  const path = `/v1/subscriptions/${subscription_id}`;

  /** The ids of what there is of `shop`, by the parameter of a path that they can stand for. */
  async function ids(operation: Operation): Promise<Record<string, string>> {
    const known: Record<string, string> = { subscription_id, message_id: 'msg_1' };
    if (operation.path.includes(':recovery_id')) {
      const started = await api({
        method: 'POST',
        path: `${path}/recoveries`,
        body: bodyFor(named('startRecovery')),
      });
      known.recovery_id = started.body.recovery_id;
    }
    if (operation.path.includes(':secret_id')) {
      known.secret_id = (await api({ path })).body.signing_secrets.at(-1).secret_id;
    }
    return known;
  }

  return {
    api,
    audit,
    hinted: signalled,
    /** What has to be there for the operation to succeed is there from now on. */
    async prepare({ id }: Operation) {
      const before = BEFORE[id];
      if (before !== undefined) {
        await api({ ...(await this.request(named(before))), requestId: 'req_0' });
      }
    },
    /** A request of `shop` for something of its own. @throws when a parameter of the path is new here */
    async request(operation: Operation) {
      const known = await ids(operation);
      const at = operation.path.replace(/:(\w+)/g, (_, name) => {
        if (known[name] === undefined) {
          throw new Error(`say here which ${name} shop has`);
        }
        return known[name];
      });
      const body = bodyFor(operation);
      const query = new URLSearchParams(queryFor(operation)).toString();
      return { method: operation.method, path: at, query, ...(body === undefined ? {} : { body }) };
    },
    /** All that its owner can see. */
    async seen() {
      const paths = ['/v1/subscriptions', path, `${path}/messages`, '/v1/messages/msg_1', '/v1/changes'];
      return [...(await Promise.all(paths.map((at) => api({ path: at })))), [...signalled]];
    },
  };
}
