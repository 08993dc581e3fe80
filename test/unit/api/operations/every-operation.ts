import * as z from 'zod';
import type { ApiPorts } from '../../../../functions/api/api-request.ts';
import type { Operation } from '../../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../../functions/api/operations.ts';
import { inMemoryAuditTrail } from '../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { inMemoryHistory } from '../../../../functions/core/message/message-history.ts';
import { inMemoryRecoveries } from '../../../../functions/core/message/recovery-registry.ts';
import type { Signal } from '../../../../functions/core/signal/signal.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { open } from '../../core/circuit/given/circuits.ts';
import { apiOver, messageRecord, newSubscription } from '../builders.ts';

/** Valid values by field name, where the schema alone does not provide one. */
const VALUES: Readonly<Record<string, unknown>> = {
  filter: { resource: { amount: [1] } },
  ...newSubscription,
  since: '2026-11-14T09:00:00Z',
  payment_id: 'pay_1',
  code: 'phc_none',
};

/** Bodies of operations whose fields depend on one another, or that do nothing without one. */
const BODIES: Readonly<Record<string, unknown>> = {
  createSubscription: newSubscription,
  updateSubscription: { description: 'other orders' },
};

/** The operation to run first, so that this one has something to change. */
const BEFORE: Readonly<Record<string, string>> = {
  enableSubscription: 'pauseSubscription',
  revokeSecret: 'rotateSecret',
};

type JsonSchema = { readonly properties?: Record<string, object>; readonly required?: string[] };

/** The fields of an operation's body. */
export function membersOf({ body }: Operation): string[] {
  return body === undefined ? [] : Object.keys(jsonSchemaOf(body).properties ?? {});
}

/** The query parameters of an operation. */
export function parametersOf({ query }: Operation): string[] {
  return query === undefined ? [] : Object.keys(jsonSchemaOf(query).properties ?? {});
}

function jsonSchemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The smallest valid body. */
export function bodyFor({ id, body }: Operation): unknown {
  if (body === undefined || id in BODIES) {
    return BODIES[id];
  }
  return requiredOf(body);
}

/** The smallest valid query. */
export function queryFor({ query }: Operation): Record<string, string> {
  return query === undefined ? {} : (requiredOf(query) as Record<string, string>);
}

function requiredOf(schema: z.core.$ZodType): Record<string, unknown> {
  const names = jsonSchemaOf(schema).required ?? [];
  const unknown = names.filter((name) => !(name in VALUES));
  if (unknown.length > 0) {
    throw new Error(`add a value for ${unknown} to VALUES`);
  }
  return Object.fromEntries(names.map((name) => [name, VALUES[name]]));
}

export function codeIn(consolePath: string): string {
  return consolePath.split('#code=')[1] ?? '';
}

export function named(id: string): Operation {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) {
    throw new Error(`there is no operation ${id}`);
  }
  return operation;
}

/** A service `shop` with one of everything, and the signals sent in its name. */
export async function shopWithEverything() {
  const subscriptions = inMemoryRegistry();
  const recoveries = inMemoryRecoveries();
  const created = await apiOver({ subscriptions })({
    method: 'POST',
    path: '/v1/subscriptions',
    body: newSubscription,
  });
  const { subscription_id } = created.body;
  const there = (await subscriptions.find('shop', subscription_id)) as Subscription;
  await subscriptions.revise(there, (now) => ({ subscription: { ...now, circuit: open() } }));
  const history = inMemoryHistory([
    { record: messageRecord({ message_id: 'msg_1', subscription_id, state: 'retrying' }), laterAttempts: [] },
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
  const api = apiOver({ keySet: async () => ({ version: 0, keys: [] }), ...ports });
  const path = `/v1/subscriptions/${subscription_id}`;
  const session = () => api({ method: 'POST', path: '/v1/portal-sessions', requestId: 'req_0' });

  /** The ids of the resources of `shop`, by path parameter. */
  async function ids(operation: Operation): Promise<Record<string, string>> {
    const known: Record<string, string> = {
      subscription_id,
      message_id: 'msg_1',
      payment_id: 'pay_1',
      event_type: 'card_payment_captured',
    };
    if (operation.path.includes(':recovery_id')) {
      const started = await api({
        method: 'POST',
        path: `${path}/recoveries`,
        body: bodyFor(named('startRecovery')),
        requestId: 'req_0',
      });
      known.recovery_id = started.body.recovery_id;
    }
    if (operation.path.includes(':secret_id')) {
      known.secret_id = (await api({ path })).body.signing_secrets.at(-1).secret_id;
    }
    if (operation.path.includes(':session_id')) {
      known.session_id = (await session()).body.session_id;
    }
    return known;
  }

  return {
    api,
    audit,
    signalled,
    /** Creates what the operation needs to succeed. */
    async prepare({ id }: Operation) {
      const before = BEFORE[id];
      if (before !== undefined) {
        await api({ ...(await this.request(named(before))), requestId: 'req_0' });
      }
    },
    /** A request of `shop` for one of its own resources. @throws when a path parameter is unknown here */
    async request(operation: Operation) {
      const known = await ids(operation);
      const at = operation.path.replace(/:(\w+)/g, (_, name) => {
        if (known[name] === undefined) {
          throw new Error(`add the ${name} of shop to ids`);
        }
        return known[name];
      });
      const body =
        operation.id === 'exchangePortalSession'
          ? { code: codeIn((await session()).body.console_path) }
          : bodyFor(operation);
      const query = new URLSearchParams(queryFor(operation)).toString();
      return { method: operation.method, path: at, query, ...(body === undefined ? {} : { body }) };
    },
    /** Everything that the service can see. */
    async seen() {
      const paths = [
        '/v1/subscriptions',
        path,
        `${path}/messages`,
        '/v1/messages/msg_1',
        '/v1/payments/pay_1',
        '/v1/changes',
      ];
      return [...(await Promise.all(paths.map((at) => api({ path: at })))), [...signalled]];
    },
  };
}
