import fc from 'fast-check';
import { isPing } from '../../../../functions/core/catalogue/ping-names.ts';
import { GOV_UK_PAY } from '../../gov-uk-pay.ts';
import { changed, malformed, type Play, type Sample, type Sent, unreadable, valid } from '../play.ts';
import type { KnownMessage, KnownSubscription } from '../world.ts';
import { ifFound } from './conditional.ts';
import { expectedPage, learnPage, pageQuery } from './lists.ts';

type Params = Readonly<Record<string, string>>;

const PINGS = { ofSubscription: 5, ofService: 20 };

const FILTERS: readonly Params[] = [
  {},
  {},
  { state: 'succeeded' },
  { state: 'exhausted' },
  { event_type: 'card_payment_captured' },
  { event_type: 'ping' },
  { event_type: 'sample.card_payment_captured' },
  { since: '2026-11-14T09:00:00+00:00', until: '2026-11-14T10:00:00.500Z' },
];
const filter = fc.constantFrom(...FILTERS).map((params): Sample<Params> => ({ value: () => params }));
const badFilter = fc
  .constantFrom<Params>(
    { state: 'lost' },
    { since: 'now' },
    { since: '2026-11-14T10:00:00Z', until: '2026-11-14T10:00:00Z' },
  )
  .map((params): Sample<Params> => ({ value: () => params, refusal: 'malformed-request' }));
const filters = fc.oneof({ weight: 8, arbitrary: filter }, { weight: 1, arbitrary: badFilter });

const payment = fc.constantFrom('pay_shared', 'pay_shared', 'pay_none');
const ofPayment = fc.tuple(filters, payment).map(
  ([of, payment_id]): Sample<Params> => ({
    ...of,
    value: (at) => ({ payment_id, ...of.value(at) }),
  }),
);

function matching({ service, query }: Sent, wanted: (message: KnownMessage) => boolean): string[] {
  const { state, event_type, since, until, payment_id } = query;
  return service.messages
    .filter(wanted)
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => event_type === undefined || one.eventType === event_type)
    .filter((one) => payment_id === undefined || one.paymentId === payment_id)
    .filter((one) => since === undefined || Date.parse(one.admittedAt) >= Date.parse(since))
    .filter((one) => until === undefined || Date.parse(one.admittedAt) < Date.parse(until))
    .toSorted((one, other) => (position(one) < position(other) ? 1 : -1))
    .map(({ id }) => id);
}

const position = ({ admittedAt, id }: KnownMessage) => `${admittedAt} ${id}`;
const idsIn = (messages: readonly { message_id: string }[]) => messages.map(({ message_id }) => message_id);

/** A list of messages: in order and complete, and of nobody else. */
function learnMessages(
  sent: Sent,
  answer: Parameters<NonNullable<Play['learn']>>[1],
  wanted: (one: KnownMessage) => boolean,
) {
  const whole = matching(sent, wanted);
  const page = expectedPage(sent, whole);
  const shown: { message_id: string; event_type: string }[] = answer.body.messages;
  if (page !== undefined) {
    expect(idsIn(shown)).toEqual(page);
  }
  const own = new Set(sent.service.messages.filter(wanted).map(({ id }) => id));
  expect(shown.filter((one) => !isPing(one) && !own.has(one.message_id))).toEqual([]);
  learnPage(sent, answer, whole);
}

const listMessages: Play = {
  query: pageQuery(100, fc.oneof(filters, ofPayment)),
  expects: (sent) => ifFound(sent, 200),
  learn: (sent, answer) => learnMessages(sent, answer, (one) => one.subscriptionId === sent.subscription?.id),
};

const listMessagesOfPayment: Play = {
  query: fc.oneof(
    { weight: 9, arbitrary: pageQuery(100, ofPayment) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<Params>({}, { payment_id: '' }, { payment_id: 'a#b' }, { payment_id: 'p'.repeat(65) })
        .map((params): Sample<Params> => ({ value: () => params, refusal: 'malformed-request' })),
    },
  ),
  expects: () => [200],
  learn: (sent, answer) => learnMessages(sent, answer, () => true),
};

const showPayment: Play = {
  query: pageQuery(50, fc.constant(valid(() => ({})))),
  expects(sent) {
    const { payment_id } = sent.request.params;
    const isKnown = sent.service.messages.some(({ paymentId }) => paymentId === payment_id);
    return [isKnown ? 200 : 'not-found'];
  },
  learn(sent, answer) {
    const { payment_id } = sent.request.params;
    const whole = matching(sent, ({ paymentId }) => paymentId === payment_id);
    const page = expectedPage(sent, whole);
    if (page !== undefined) {
      expect(idsIn(answer.body.messages)).toEqual(page);
    }
    learnPage(sent, answer, whole);
  },
};

const showMessage: Play = {
  expects: ({ message }) => [message === undefined ? 'not-found' : 200],
  learn({ message, request, service }, { body }) {
    expect(body.message_id).toBe(request.params.message_id);
    expect(body.subscription_id).toBe(message?.subscriptionId);
    expect(body.body === undefined || body.body.includes(service.own)).toBe(true);
  },
};

const resendMessage: Play = {
  expects({ message, service, tested }) {
    if (message === undefined) {
      return ['not-found'];
    }
    const isGone = service.subscriptions.some(
      ({ id, isDeleted }) => id === message.subscriptionId && isDeleted,
    );
    const outcome = isGone ? 'subscription-deleted' : 202;
    if (!tested.isExact) {
      return [outcome, 'already-waiting'];
    }
    if (isPing({ event_type: message.eventType })) {
      return ['ping-not-resent'];
    }
    if (message.isErased) {
      return ['body-erased'];
    }
    return [message.state === 'parked' ? 'already-waiting' : outcome];
  },
  learn: (sent) => changed(sent, 'resendMessage'),
};

const FINAL = ['succeeded', 'exhausted', 'cancelled'];

const cancelMessage: Play = {
  expects({ message, tested }) {
    if (message === undefined) {
      return ['not-found'];
    }
    const outcome = FINAL.includes(message.state ?? '') ? 'already-ended' : 202;
    return tested.isExact ? [outcome] : [202, 'already-ended'];
  },
  learn: (sent) => changed(sent, 'cancelMessage'),
};

const samples = [...GOV_UK_PAY.types.map(({ name }) => ({ sample_of: name })), '' as const, {}];
const notSamples = ['ping', 'sample.card_payment_captured', 'payment', '', null, 1];

const pingSubscription: Play = {
  body: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...samples).map((body) => valid(() => body)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...notSamples.map((sample_of) => malformed({ sample_of }))),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects(sent) {
    const { subscription, service, tested } = sent;
    if (subscription === undefined) {
      return ['not-found'];
    }
    // What is refused counts too.
    subscription.pings += 1;
    const inAll = service.subscriptions.reduce((sum, { pings }) => sum + pings, 0);
    const isTooMany = subscription.pings > PINGS.ofSubscription || inAll > PINGS.ofService;
    return tested.isExact ? [isTooMany ? 'too-many-pings' : 202] : [202, 'too-many-pings'];
  },
  learn: (sent) => changed(sent, 'pingSubscription'),
};

const showStatistics: Play = {
  query: fc
    .constantFrom<[Params, boolean]>(
      [{}, true],
      [{ by: 'hour' }, true],
      [{ by: 'day' }, true],
      [{ by: 'year' }, false],
    )
    .map(([params, isValid]) => ({
      value: () => params,
      ...(isValid ? {} : { refusal: 'malformed-request' }),
    })),
  expects: (sent) => ifFound(sent, 200),
  learn: ({ subscription }, { body }) =>
    expect(body.subscription_id).toBe((subscription as KnownSubscription).id),
};

export const MESSAGE_PLAYS = {
  listMessages,
  listMessagesOfPayment,
  showPayment,
  showMessage,
  resendMessage,
  cancelMessage,
  pingSubscription,
  showStatistics,
};
