import { isolateFailures } from '../../../core/errors/isolate-failures.ts';
import { isNumbered, type NumberedEvent } from '../../../core/event/event.ts';
import { NewerFormatError } from '../../../core/event/format-version.ts';
import {
  type PaymentName,
  type PaymentSequence,
  paymentKey,
} from '../../../core/sequence/payment-sequence.ts';
import type { Route } from '../../../core/subscription/subscription.ts';
import type { Arrived, Matched } from '../make-messages.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts, Sequenced } from '../ports.ts';
import type { Results } from '../results.ts';
import {
  type NumberedPayment,
  type NumberedRecord,
  numberedPaymentOf,
  OvertakenPaymentError,
  UnreadableEventError,
} from './numbered-payment.ts';
import { type Sending, settle } from './settle.ts';

export interface NumberedPayments {
  /** What is admitted, of each payment in order. */
  readonly matched: readonly Matched[];
  /** Records that are not decided now: nothing behind them in their payments may be sent. */
  readonly undecided: ReadonlySet<Intake>;
  /** Writes how far the payments are. */
  settle(sending: Sending): Promise<Settled>;
}

interface Settled {
  readonly sequenced: readonly Sequenced[];
  /** Records of payments that another worker has written meanwhile. */
  readonly overtaken: readonly Arrived[];
  /** Records that waited for this. */
  readonly later: readonly Arrived[];
}

type Numbered = [NumberedRecord, ...NumberedRecord[]];

/**
 * The payments of which numbered events came, or gap signals; other events are left out. Each payment has a
 * message group of its own, that of its first event: what comes by another door is forwarded there, so that
 * only one worker at a time decides what it admits. An internal error stays with the payment that meets it:
 * its records are redelivered. Those of a payment of which something stored cannot be read are dead-lettered.
 * Never rejects.
 *
 * @param areReleased an operator's signal brought these events of a stuck payment: nobody else decides then
 */
export async function numberedPaymentsOf(
  records: readonly Arrived[],
  routesOf: (serviceId: string) => readonly Route[],
  ports: MatchPorts,
  policy: MatchPolicy,
  results: Results,
  areReleased: boolean,
): Promise<NumberedPayments> {
  const payments = new Map<string, { readonly payment: PaymentName; readonly records: Numbered }>();
  for (const [payment, record] of records.flatMap(numberedOf)) {
    const known = payments.get(paymentKey(payment));
    if (known === undefined) {
      payments.set(paymentKey(payment), { payment, records: [record] });
    } else {
      known.records.push(record);
    }
  }
  const failed = new Set<Intake>();
  const overtaken: Arrived[] = [];
  const fail = (error: unknown, payment: PaymentName, own: Readonly<Numbered>) => {
    const intakes = own.map(({ intake }) => intake);
    if (error instanceof OvertakenPaymentError) {
      overtaken.push(...records.filter(({ intake }) => intakes.includes(intake)));
      return;
    }
    ports.internalError(error, own.length);
    results.failed({ payment, intake: own[0].intake, step: 'sequence', error });
    results.again(intakes);
    for (const intake of intakes) {
      failed.add(intake);
    }
  };
  const { answers, failed: unread } = await isolateFailures([...payments.values()], (some) =>
    ports.sequencesOf(some.map(({ payment }) => payment)),
  );
  const found = new Map(answers.flatMap((answer) => [...answer]));
  const numbered: NumberedPayment[] = [];
  await Promise.all(
    [...payments].map(async ([key, { payment, records: own }]) => {
      const stored: PaymentSequence | Error | undefined = found.get(key);
      const error = [...unread].find(([one]) => one.payment === payment)?.[1];
      if (error !== undefined || stored instanceof NewerFormatError) {
        return fail(error ?? stored, payment, own);
      }
      const cannotBeRead = (why: Error) => {
        // Sweep sends another signal, and no dead letter tells of the payment then.
        ports.internalError(why, 0);
        results.dead(own.flatMap((record) => deadEventOf(record, why)));
      };
      if (stored instanceof Error) {
        return cannotBeRead(stored);
      }
      const group = stored?.group ?? own[0].intake.group;
      const isForeign = ({ intake }: NumberedRecord) => !areReleased && intake.group !== group;
      const [foreign, [first, ...others]] = [own.filter(isForeign), own.filter((one) => !isForeign(one))];
      try {
        // Each group is redelivered on its own: after a crash, what was decided together would come apart.
        if (foreign.length > 0) {
          await ports.forward(
            foreign.map(({ intake }) => intake),
            group,
          );
        }
        if (first !== undefined) {
          const routes = routesOf(payment.service_id);
          numbered.push(await numberedPaymentOf(payment, [first, ...others], stored, routes, ports, policy));
        }
      } catch (internalError) {
        if (internalError instanceof UnreadableEventError) {
          return cannotBeRead(internalError);
        }
        fail(internalError, payment, own);
      }
    }),
  );
  return {
    matched: numbered.flatMap(({ planned }) => planned.flatMap(({ matched }) => matched ?? [])),
    undecided: new Set([
      ...failed,
      ...overtaken.map(({ intake }) => intake),
      ...numbered.flatMap(({ left, later }) => [...left, ...later]),
    ]),
    async settle(sending) {
      const sequenced: Sequenced[] = [];
      const later = new Set<Intake>();
      await Promise.all(
        numbered.map(async (one) => {
          try {
            for (const intake of await settle(one, sending, ports, policy, results)) {
              later.add(intake);
            }
            results.passed('sequence', one.payment);
            sequenced.push(...sequencedOf(one));
          } catch (internalError) {
            fail(internalError, one.payment, one.records);
          }
        }),
      );
      return { sequenced, overtaken, later: records.filter(({ intake }) => later.has(intake)) };
    },
  };
}

function numberedOf(record: Arrived): [PaymentName, NumberedRecord][] {
  const { intake } = record;
  if ('signal' in record) {
    const { service_id, payment_id, asked_at } = record.signal;
    const askedAtMs = asked_at === undefined ? intake.admittedAtMs : Date.parse(asked_at);
    return [
      [
        { service_id, payment_id },
        { intake, askedAtMs },
      ],
    ];
  }
  const { event } = record;
  if (!isNumbered(event)) {
    return [];
  }
  const { service_id, payment_id } = event;
  return [
    [
      { service_id, payment_id },
      { intake, usable: { ...record, event: event satisfies NumberedEvent } },
    ],
  ];
}

/** A signal is not kept: sweep sends another. */
function deadEventOf({ intake, usable }: NumberedRecord, { message }: Error): DeadEvent[] {
  return usable === undefined ? [] : [{ intake, reason: 'sequence_unreadable', explanation: message }];
}

function sequencedOf({ planned }: NumberedPayment): Sequenced[] {
  return planned.flatMap(({ record, step, matched }) => {
    const event = matched?.event ?? record.usable?.event;
    return event === undefined ? [] : [{ event, step }];
  });
}
