import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { syntheticBus } from '../../../functions/adapters/eventbridge/synthetic-bus.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { removalOf } from '../../../functions/core/api/api-token.ts';
import { secretOf } from '../../../functions/core/attempt/signing-keys.ts';
import {
  type EventTypeSummary,
  type EventTypeView,
  eventTypeIn,
} from '../../../functions/core/catalogue/event-type-view.ts';
import { syntheticEvent, syntheticTypeOf } from '../../../functions/core/event/synthetic-event.ts';
import { messageId } from '../../../functions/core/message/message.ts';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { type Course, follow, type Seen, whereabouts } from '../../../functions/monitor/doctor/follow.ts';
import {
  receiptSchema,
  SECRET_HEADER,
} from '../../../functions/monitor/synthetic-receiver/synthetic-receiver.ts';
import { type ApiClient, apiClient, isMissing } from '../../partner/api-client.ts';
import { type Check, type Finding, failed, ok } from './check.ts';
import type { ExaminedStage } from './examined-stage.ts';

/** Nobody's payments but the doctor's belong to it. */
const SERVICE = 'doctor';
const TOKEN_LASTS_MINUTES = 10;
/** All functions may be cold. */
const DEADLINE_MS = 60_000;
const EVERY_MS = 250;
/** No run takes so long: what is older was left behind by one that was killed. */
const LEFT_AFTER_MS = 60 * 60_000;
const SECRET_BYTES = 32;
/** One of this many can be used, or nobody has given samples. */
const TYPES_READ = 5;

/**
 * Whether a payment goes all the way: through the API, the bus, both queues and the internet to a receiver,
 * and into the history.
 */
export const endToEnd: Check = {
  name: 'end-to-end',
  partOf: [2],
  async run(stage) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await examined(stage, undo);
    } finally {
      // The last first, each whatever became of the others.
      for (const step of undo.reverse()) {
        await step().catch(() => {});
      }
    }
  },
};

async function examined(stage: ExaminedStage, undo: (() => Promise<unknown>)[]): Promise<Finding> {
  const { output, clients, signal } = stage;
  const tokens = apiTokenTable(clients.dynamodb, output('data', 'ApiTokensTableName'));
  const { token, record } = await createToken(tokens, {
    serviceId: SERVICE,
    description: 'npm run ops -- doctor',
    expiresInDays: TOKEN_LASTS_MINUTES / (24 * 60),
  });
  const revocation = () => ({
    revoked_at: new Date().toISOString(),
    remove_at_epoch_seconds: removalOf(Date.now()),
  });
  undo.push(() => tokens.revoke(record.token_hash, revocation()));
  const connection = { apiUrl: output('api', 'ApiUrl').replace(/\/$/, ''), token };
  const call = apiClient(connection, signal === undefined ? {} : { signal });
  await endLeftovers(call);
  const subscriptionId = await subscribe(call, output('api', 'SyntheticReceiverUrl'));
  // Without the signal: cleaning up has to finish.
  undo.push(() => apiClient(connection)('DELETE', `/subscriptions/${subscriptionId}`));

  const event = syntheticEvent(await typeAt(call), SERVICE, `doctor_${randomUUID()}`, Date.now());
  const course = await follow(
    event,
    {
      put: syntheticBus(clients.eventBridge, output('pipeline', 'BusName')),
      find: ({ event_id, payment_id }) =>
        messageOf(
          call,
          messageId({ service_id: SERVICE, payment_id, event_id, subscription_id: subscriptionId }),
        ),
      now: Date.now,
      wait: (ms) => delay(ms, undefined, { signal }),
    },
    { deadlineMs: DEADLINE_MS, everyMs: EVERY_MS },
  );
  return findingOf(course);
}

/** A run that was killed could not end its own; with twenty of them no other could be made. */
async function endLeftovers(call: ApiClient): Promise<void> {
  const { subscriptions } = (await call('GET', '/subscriptions')) as { subscriptions: SubscriptionView[] };
  const leftBefore = Date.now() - LEFT_AFTER_MS;
  for (const { subscription_id, created_at } of subscriptions) {
    if (Date.parse(created_at) < leftBefore) {
      await call('DELETE', `/subscriptions/${subscription_id}`);
    }
  }
}

/** A type whose events the stage takes, with the resource that it expects. */
async function typeAt(call: ApiClient) {
  const { event_types } = (await call('GET', '/event-types')) as { event_types: readonly EventTypeSummary[] };
  const all = await Promise.all(
    event_types.slice(0, TYPES_READ).map(({ event_type }) => call('GET', `/event-types/${event_type}`)),
  );
  return syntheticTypeOf((all as EventTypeView[]).map(eventTypeIn));
}

async function subscribe(call: ApiClient, callbackUrl: string): Promise<string> {
  const signing_secret = secretOf(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const body = {
    callback_url: callbackUrl,
    description: 'npm run ops -- doctor: removes it again',
    event_types: ['*'],
    live: false,
    signing_secret,
    custom_headers: { [SECRET_HEADER]: signing_secret },
  };
  const { subscription_id } = (await call('POST', '/subscriptions', { body })) as { subscription_id: string };
  return subscription_id;
}

async function messageOf(call: ApiClient, id: string): Promise<Seen | undefined> {
  try {
    return (await call('GET', `/messages/${id}`)) as MessageView;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

export function findingOf(course: Course): Finding {
  const details = [...course.steps]
    .sort((one, other) => one.afterMs - other.afterMs)
    .map(({ step, afterMs }) => `${step.padEnd(22)} ${afterMs} ms`);
  if (!course.hasArrived) {
    return { ...failed(whereabouts(course), todoFor(course)), details };
  }
  const receipt = receiptOf(course.seen);
  return receipt?.signature === 'valid' && receipt.webhook_id === course.seen?.message_id
    ? ok(`${whereabouts(course)}, its signature valid`, details)
    : {
        ...failed(
          'somebody else than the receiver of the doctor has answered',
          'Does the URL of the api’s output SyntheticReceiverUrl still lead to its function? Is it of another version?',
        ),
        details,
      };
}

function receiptOf(seen: Seen | undefined) {
  try {
    return receiptSchema.parse(JSON.parse(seen?.attempts?.at(-1)?.response_body ?? ''));
  } catch {
    return undefined;
  }
}

function todoFor({ seen }: Course): string {
  if (seen === undefined) {
    return 'It was lost or waits before deliver: see queues, dead-letters, rules and workers, and the logs of match and deliver.';
  }
  if (seen.last_status_code === 401) {
    return 'The receiver does not find the signature valid: look at how deliver signs, and at the key of the signing secrets.';
  }
  return `Look at the logs of deliver for the message ${seen.message_id}.`;
}
