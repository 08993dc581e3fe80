import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { isNumbered } from '../../core/event/event.ts';
import type { Message } from '../../core/message/message.ts';
import { sendInOrder } from '../../core/ordering/sending-order.ts';
import { paymentKey } from '../../core/sequence/payment-sequence.ts';
import type { Route } from '../../core/subscription/subscription.ts';
import { type Arrived, type Matched, matchedOf, paymentOf } from './make-messages.ts';
import type { Intake, MatchPolicy, MatchPorts, Sequenced } from './ports.ts';
import type { Results } from './results.ts';
import { OvertakenPaymentError } from './sequence/numbered-payment.ts';
import { type NumberedPayments, numberedPaymentsOf } from './sequence/numbered-payments.ts';

/** How often a payment is decided in one invocation: after a lost race it is known whose it is. */
const MAX_TRIES = 2;

/** `fields` may keep most of a large resource, and SQS takes 1 MiB in a call. In JSON text, escaped. */
const SIZES = {
  bytesOf: ({ resource = '' }: Message) => 3 * resource.length,
  maxBytes: 900_000,
};

const NONE_NUMBERED: NumberedPayments = {
  matched: [],
  undecided: new Set(),
  settle: async () => ({ sequenced: [], overtaken: [], later: [] }),
};

/** What was sent of events and gap signals. */
interface SentInTurn {
  /** Those whose messages are all sent. */
  readonly sent: readonly Matched[];
  readonly sequenced: readonly Sequenced[];
}

interface Context {
  readonly routesOf: (serviceId: string) => readonly Route[];
  readonly ports: MatchPorts;
  readonly policy: MatchPolicy;
  readonly results: Results;
  /** An operator's signal brought these events. */
  readonly areReleased: boolean;
}

/**
 * Sends the messages of events whose turn it is, and writes how far numbered payments are. A payment that
 * another worker writes meanwhile is decided again at once, by what is stored then; SQS drops what was sent
 * twice. What has to wait until the records before it are written follows in another round. Never rejects.
 *
 * @param arrived in the order of the queue
 */
export async function sendInTurn(
  arrived: readonly Arrived[],
  { routesOf, ports, policy, results, areReleased }: Context,
): Promise<SentInTurn> {
  const unnumbered = arrived.flatMap((one) => ('event' in one && !isNumbered(one.event) ? [one] : []));
  const own = unnumbered.map((one) => {
    const { orderNumber, admittedAtMs } = one.intake;
    return matchedOf({ ...one, orderNumber, admittedAtMs }, routesOf(one.event.service_id));
  });
  const sent: Matched[] = [];
  const sequenced: Sequenced[] = [];
  let undecided: readonly Arrived[] = arrived;
  let others = own;
  for (let tries = 1; ; ) {
    const numbered =
      others.length === undecided.length
        ? NONE_NUMBERED
        : await numberedPaymentsOf(undecided, routesOf, ports, policy, results, areReleased);
    const behind = behindAny(numbered.undecided, undecided);
    const free = others.filter(({ intake }) => !behind.has(intake));
    const matched = inOrderOf(undecided, [...numbered.matched, ...free]);
    const unsent = await sendInOrder(
      matched.flatMap(({ messages }) => messages),
      (batch) => send(batch, ports),
      SIZES,
    );
    const isSent = ({ messages }: Matched) => !messages.some((message) => unsent.has(message));
    for (const one of matched) {
      const { event, intake, messages } = one;
      if (!isSent(one)) {
        const error = new Error('the queue did not take a message');
        results.failed({ payment: event, intake, step: 'send', error });
      } else if (messages.length > 0) {
        results.passed('send', event);
      }
    }
    const settled = await numbered.settle({ unsent, wasOvertaken: tries > 1 });
    const { overtaken, later } = settled;
    const intakes = overtaken.map(({ intake }) => intake);
    sent.push(...matched.filter((one) => isSent(one) && !intakes.includes(one.intake)));
    results.again(free.filter((one) => !isSent(one)).map(({ intake }) => intake));
    sequenced.push(...settled.sequenced);
    const goOn = new Set(later.map((one) => paymentKey(paymentOf(one))));
    const following = others.filter(({ intake, event }) => behind.has(intake) && goOn.has(paymentKey(event)));
    const next = new Set([...later, ...following].map(({ intake }) => intake));
    results.again([...behind].filter((intake) => !next.has(intake)));
    if (overtaken.length > 0 && tries >= MAX_TRIES) {
      ports.internalError(
        new OvertakenPaymentError(`other workers were faster ${tries} times`),
        intakes.length,
      );
      results.again(intakes);
    } else if (overtaken.length > 0) {
      tries += 1;
      for (const intake of intakes) {
        next.add(intake);
      }
    }
    if (next.size === 0) {
      return { sent, sequenced };
    }
    undecided = undecided.filter(({ intake }) => next.has(intake));
    others = following;
  }
}

/** Events without a number behind a record of their payment that is not decided now. */
function behindAny(undecided: ReadonlySet<Intake>, arrived: readonly Arrived[]): Set<Intake> {
  const payments = new Set<string>();
  const behind = new Set<Intake>();
  for (const one of undecided.size === 0 ? [] : arrived) {
    const payment = paymentKey(paymentOf(one));
    if (undecided.has(one.intake)) {
      payments.add(payment);
    } else if ('event' in one && !isNumbered(one.event) && payments.has(payment)) {
      behind.add(one.intake);
    }
  }
  return behind;
}

/**
 * In the order of the queue, by the record that brought or admits each; those of one record stay as
 * they are. A worker that gets some of the records again must admit the same ones for the same
 * reason, or their positions would differ.
 */
export function inOrderOf<One extends { readonly intake: Intake }>(
  order: readonly { readonly intake: Intake }[],
  all: readonly One[],
): One[] {
  const byRecord = Map.groupBy(all, ({ intake }) => intake.recordId);
  return order.flatMap(({ intake: { recordId } }) => byRecord.get(recordId) ?? []);
}

/** Sends messages together or, if that fails, each alone; answers those that were not taken. */
async function send(messages: readonly Message[], ports: MatchPorts): Promise<Message[]> {
  const { answers, failed } = await isolateFailures(messages, (some) => ports.send(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()];
}
