import * as z from 'zod';
import type { StageFigures } from '../../../core/analysis/ports.ts';
import { isSubscription, type Place, subscriptionsOf } from '../../../core/analysis/walk.ts';
import { positionSchema } from '../../../core/api/cursor.ts';
import { isPing } from '../../../core/catalogue/ping-names.ts';
import { MESSAGE_STATES, type UndeliveredState } from '../../../core/message/message.ts';
import type { Position } from '../../../core/message/message-history.ts';
import { type MessageSummary, messageSummarySchema } from '../../../core/message/message-view.ts';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import { askedShape, cursorTo, isPeriod, NO_PERIOD, placeCursor, placeSchema } from './analysis-request.ts';

const STATES = MESSAGE_STATES.filter((state): state is UndeliveredState => state !== 'succeeded');
/** Of a page of the index: some 100 KB. */
const AT_ONCE = 250;
const MAX_MESSAGES = 1_000;
const MAX_QUERIES = 60;

const whereSchema = placeSchema.extend({
  state: z.enum(STATES as [UndeliveredState, ...UndeliveredState[]]).optional(),
  after: positionSchema.optional(),
});
type Where = z.infer<typeof whereSchema>;

interface Wanted {
  readonly since: string;
  readonly until: string;
  readonly only: string | undefined;
  readonly wants: (message: MessageSummary) => boolean;
}

export const listUnacknowledged = stageOperation({
  id: 'listUnacknowledged',
  method: 'GET',
  path: '/v1/stage/unacknowledged',
  scope: 'read',
  summary: 'List what no endpoint has acknowledged',
  query: z
    .strictObject({
      ...askedShape,
      event_type: z.string().max(80).optional().describe('Of this type alone.'),
      live: z.enum(['true', 'false']).optional().describe('Of live or of test payments alone.'),
      cursor: placeCursor(whereSchema).optional().describe('`next_cursor` of the page before.'),
    })
    .refine(isPeriod, NO_PERIOD),
  async run({ query }, { figures, now }) {
    const { since, until, service_id: only, event_type, live, cursor } = query;
    const reads = figures();
    const wants = (message: MessageSummary) =>
      !isPing(message) &&
      (event_type === undefined || message.event_type === event_type) &&
      (live === undefined || String(message.live) === live);
    const { messages, next } = await unacknowledged(reads, { since, until, only, wants }, cursor);
    return {
      status: 200,
      body: {
        messages,
        ...(next === undefined ? {} : { next_cursor: cursorTo(next) }),
        counted_at: new Date(now()).toISOString(),
        read_units: reads.readUnits(),
      },
    };
  },
});

/** By subscription, state and age, until there are many or it took many queries. */
async function unacknowledged(
  reads: StageFigures,
  { since, until, only, wants }: Wanted,
  from: Where | undefined,
): Promise<{ readonly messages: object[]; readonly next?: Where }> {
  const messages: object[] = [];
  let queries = 0;
  const isFull = () => messages.length >= MAX_MESSAGES || queries >= MAX_QUERIES;
  for await (const place of placesFrom(reads, only, from)) {
    if (!isSubscription(place)) {
      queries += 1;
      if (isFull()) return { messages, next: place };
      continue;
    }
    const isFirst = from?.state !== undefined && from.subscription_id === place.subscription_id;
    for (const state of isFirst ? STATES.slice(STATES.indexOf(from.state!)) : STATES) {
      let after: Position | undefined = isFirst && state === from.state ? from.after : undefined;
      do {
        if (isFull()) return { messages, next: { ...place, state, ...(after && { after }) } };
        queries += 1;
        const wanted = { since, until, state, limit: AT_ONCE, ...(after && { after }) };
        const page = await reads.messages(place.subscription_id, wanted);
        messages.push(
          ...page.messages.filter(wants).map((message) => ({ service_id: place.service_id, ...message })),
        );
        after = page.next;
      } while (after !== undefined);
    }
  }
  return { messages };
}

/** A subscription that was left in the middle comes first. */
async function* placesFrom(
  reads: StageFigures,
  only: string | undefined,
  from: Where | undefined,
): AsyncGenerator<Place> {
  const { service_id, subscription_id, state } = from ?? {};
  if (service_id !== undefined && state !== undefined) {
    yield { service_id, subscription_id };
  }
  yield* subscriptionsOf(reads, {
    only,
    after: service_id === undefined ? undefined : { service_id, subscription_id },
  });
}

/* @__PURE__ */ describeOperation(
  listUnacknowledged,
  'Messages whose events were taken in during the period and that no 2xx has acknowledged: they wait, were given up, or were cancelled. Test pings are not among them. By service, subscription and state, the newest first; without bodies and answers. Each request reads as much as it can in some seconds: keep paging until `next_cursor` is absent. Some seconds old.',
  () => ({
    200: {
      description: 'A page of messages.',
      schema: z.object({
        messages: z.array(z.object({ service_id: z.string(), ...messageSummarySchema.shape })),
        next_cursor: z.string().optional().describe('Absent on the last page.'),
        counted_at: z.iso.datetime({ precision: 3 }).describe('When it was read.'),
        read_units: z.number().min(0).describe('What the page cost in read units of DynamoDB.'),
      }),
    },
  }),
);
