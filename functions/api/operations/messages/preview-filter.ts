import * as z from 'zod';
import { isPing } from '../../../core/catalogue/ping-names.ts';
import { refusedBy } from '../../../core/filter/evaluate.ts';
import { filteredEvent } from '../../../core/filter/filtered-event.ts';
import { newestFirst } from '../../../core/message/message-history.ts';
import { filterSchema } from '../../../core/subscription/subscription-fields.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { instant } from '../../../core/text/instant.ts';
import { momentSchema } from '../../../core/text/moment.ts';
import { describeOperation, operation } from '../../operation.ts';
import { reaches } from '../../owned.ts';

/** Each is a read of its own. */
const MAX_EVENTS = 50;

const period = {
  since: momentSchema.optional(),
  until: momentSchema.optional(),
  limit: z.int().min(1).max(MAX_EVENTS).default(20),
};

/* @__PURE__ */ describeMembers(
  { shape: period },
  {
    since: 'Only events accepted at or after this time: RFC 3339.',
    until: 'Only events accepted before this time.',
    limit: 'The maximum number of events to look at.',
  },
);

export const previewFilter = operation({
  id: 'previewFilter',
  method: 'POST',
  path: '/v1/filters/preview',
  scope: 'read',
  tag: 'Messages',
  summary: 'Try a filter on the last events',
  isIdempotent: true,
  body: z
    .strictObject({ filter: filterSchema, ...period })
    .refine(
      ({ since, until }) =>
        since === undefined || until === undefined || Date.parse(since) < Date.parse(until),
      { path: ['until'], message: 'must be later than since' },
    ),
  async run({ serviceId, caller, body: { filter, since, until, limit } }, { subscriptions, history }) {
    const pattern = JSON.parse(filter);
    const own = (await subscriptions.list(serviceId)).filter(({ subscription_id }) =>
      reaches(caller, subscription_id),
    );
    const span = { since: since && instant(Date.parse(since)), until: until && instant(Date.parse(until)) };
    const pages = await Promise.all(
      own.map(({ subscription_id }) => history.page(subscription_id, { limit, ...span })),
    );
    const found = pages.flatMap(({ messages }) => messages).sort(newestFirst);
    const usable = found.filter((message) => !isPing(message) && message.body_erased_at === undefined);
    // Messages of an event say the same, unless their subscriptions want other fields.
    const events = [...Map.groupBy(usable, (one) => `${one.payment_id} ${one.event_id}`).values()];
    const looked = await Promise.all(
      events.slice(0, limit).map(async ([message]) => {
        const record = (await history.find(message!.message_id))?.record;
        const resource = record && (record.resource ?? (await history.resource(record)));
        if (!resource) {
          return [];
        }
        const path = refusedBy(pattern, filteredEvent(record, resource));
        const { message_id, event_type, payment_id, admitted_at, fields } = record;
        return [
          {
            ...{ message_id, event_type, payment_id, admitted_at, taken: path === undefined },
            ...(path === undefined ? {} : { refused_by: path.join('.') }),
            ...(fields === undefined ? {} : { fields }),
          },
        ];
      }),
    );
    const messages = looked.flat();
    const isMore = events.length > limit || pages.some(({ next }) => next !== undefined);
    return { status: 200, body: { looked_at: messages.length, is_more: isMore, messages } };
  },
});

const looked = {
  message_id: z.string(),
  event_type: z.string(),
  payment_id: z.string(),
  admitted_at: z.iso.datetime({ precision: 3 }),
  taken: z.boolean(),
  refused_by: z.string().optional(),
  fields: z.array(z.string()).optional(),
};

/* @__PURE__ */ describeMembers(
  { shape: looked },
  {
    message_id: 'A message of the event.',
    event_type: 'As in the webhook.',
    payment_id: 'The payment that it is about.',
    admitted_at: 'When the event was taken in.',
    taken: 'Whether the filter takes it.',
    refused_by:
      'The first member of the filter that does not match: `resource.amount`. Absent if it is taken.',
    fields: 'The message has only these members of `resource`, and the filter saw no others.',
  },
);

/* @__PURE__ */ describeOperation(
  previewFilter,
  'Runs a filter over the newest events of which your subscriptions have messages, whatever `event_types` a subscription wants, and changes nothing. Events that every subscription leaves out are on no record.',
  () => ({
    200: {
      description: 'What the filter makes of each event, newest first.',
      schema: z.object({
        looked_at: z.int().describe('How many events it looked at.'),
        is_more: z.boolean().describe('Whether there are older ones in the period.'),
        messages: z.array(z.object(looked)),
      }),
    },
  }),
);
