import * as z from 'zod';
import { historyReader } from '../../../functions/adapters/dynamodb/history/history-reader.ts';
import { CLOSED } from '../../../functions/core/circuit/circuit.ts';
import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { messageView } from '../../../functions/core/message/message-view.ts';
import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { messageTimelines } from '../../../functions/core/timeline/message-timeline.ts';
import { sequenceTimeline } from '../../../functions/core/timeline/sequence-timeline.ts';
import { textOf } from '../../partner/commands/messages.ts';
import type { Withheld } from '../../stage/attempt-details.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { printable } from '../../terminal/terminal.ts';
import { timelineText } from '../../timeline/timeline-text.ts';
import { limit, ON_STAGE, operatorCommand, SERVICE } from '../operator-command.ts';
import { paymentRecords } from './payment-records.ts';

export const payment = operatorCommand({
  name: 'payment',
  arguments: {
    service: SERVICE,
    payment: {
      check: paymentEventSchema.shape.payment_id,
      help: 'id of the payment, as its events carry it in payment_id',
    },
  },
  summary: 'Show the timeline of a payment without bodies: where its webhooks are, what is next',
  options: { ...limit(20, 'how many messages at most, the newest', 100), ...ON_STAGE },
  example: 'bakery pay_2cXj1x8 --stage dev',
  remarks: 'Lines without a subscription are about the event. A number in brackets is the publisher’s.',
  async run(given, { access, print, now, colors }) {
    const { service: service_id, payment: payment_id, stage } = given;
    const { dynamodb, tables, settings } = await access(stage);
    const withheld: Withheld = new Set();
    const records = paymentRecords(dynamodb, await tables(), withheld);
    const [{ courses, isAll }, progress] = await Promise.all([
      records.messages({ service_id, payment_id }, given.limit),
      records.progress({ service_id, payment_id }),
    ]);
    if (courses.length === 0 && progress === undefined) {
      throw unknown(given);
    }
    const ids = new Set([
      ...courses.map(({ record }) => record.subscription_id),
      ...Object.keys(progress?.sent ?? {}),
    ]);
    const waiting = new Set(courses.flatMap(({ record }) => (isFinal(record) ? [] : [orderingKey(record)])));
    const [seen, keys] = await Promise.all([
      Promise.all([...ids].map((id) => records.subscription(service_id, id))),
      Promise.all([...waiting].map((key) => records.blocked(key))),
    ]);
    const unreadable = seen.flatMap((one) => (one instanceof Error ? [one.message] : []));
    const known = seen.flatMap((one) => (one === undefined || one instanceof Error ? [] : [one]));
    const subscriptions = known.map(({ subscription_id, description, state, circuit = CLOSED }) => ({
      subscription_id,
      description,
      state,
      circuit: { state: circuit.state, since: circuit.since },
    }));
    const circuits = new Map(known.map((one) => [one.subscription_id, one.circuit ?? CLOSED]));
    const blocked = keys.filter((key) => key !== undefined);
    const { sequenceGapMs } = settings.deliveryPolicy;
    const timeline = {
      payment_id,
      ...(progress === undefined ? {} : { sequence: sequenceTimeline(progress, sequenceGapMs) }),
      subscriptions,
      messages: messageTimelines(courses, circuits),
    };
    const remarks = [
      ...blocked.map((key) => blockedText(key, stage)),
      ...unreadable,
      ...(isAll ? [] : ['There are more messages, which are older: a greater --limit shows them.']),
      ...withheld,
    ];
    print(
      [timelineText(timeline, now(), colors), ...remarks.map((remark) => `  ${printable(remark)}`)].join(
        '\n',
      ),
      { service_id, ...timeline, ordering_keys: blocked, more: !isAll, unreadable, withheld: [...withheld] },
    );
    return true;
  },
});

/** Why an ordering key is blocked, as a sentence. */
function blockedText(key: BlockedKey, stage: ChosenDeployment): string {
  const { ordering_key } = key;
  switch (key.state) {
    case 'waiting':
      return `${ordering_key} is blocked, and due at ${key.due_at}.`;
    case 'backlogged':
      return `${ordering_key} is in the backlog of its subscription since ${key.backlogged_at}.`;
    case 'stuck':
      return `${ordering_key} is stuck since ${key.since}: ${key.explanation}; npm run ops -- stuck show ${ordering_key} ${stage.option}`;
  }
}

function unknown({
  service,
  payment,
  stage,
}: {
  service: string;
  payment: string;
  stage: ChosenDeployment;
}): Error {
  return new ExplainedError(
    `Nothing is on record of the payment ${payment} of ${service} on ${stage}. Are both ids right?
Its events may not have come (publishing), be among the dead letters (npm run ops -- redrive events ${stage.option}), be wanted
by no subscription (event.unrouted in the log of match), or have ended over 90 days ago. A message is on record a second
after its first attempt, or after it began to wait.`,
  );
}

export const message = operatorCommand({
  name: 'message',
  arguments: {
    message: {
      check: z.string().regex(/^msg_[\w-]{40}$/, 'must be msg_ and 40 letters, digits, _ and -'),
      help: 'id of the message: the webhook-id of its attempts',
    },
  },
  summary: 'Show a message with its body and every attempt, for whoever may read personal data',
  options: ON_STAGE,
  example: 'msg_2Ktbxb6MqKrTbSTojdaEXo7LrP3fUe5gTn1iCk9s --stage dev',
  remarks: 'A message lies in the table History under the first half of its id, its resource compressed.',
  async run(given, { access, print }) {
    const { dynamodb, tables } = await access(given.stage);
    const history = historyReader(dynamodb, (await tables()).history);
    const found = await history.find(given.message);
    if (found === undefined) {
      throw new ExplainedError(
        `No message ${given.message} is on record on ${given.stage}: it has not been attempted yet, or ended over 90 days ago.`,
      );
    }
    const { record, laterAttempts } = found;
    const view = messageView(record, laterAttempts, record.resource ?? (await history.resource(record)));
    print(textOf(view), view);
    return true;
  },
});
