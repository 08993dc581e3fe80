import { setTimeout as delay } from 'node:timers/promises';
import { freshSignals } from '../../../functions/adapters/sqs/fresh-signals.ts';
import type { StuckSignal } from '../../../functions/core/signal/stuck-signal.ts';
import type { StuckPayment } from '../../../functions/core/stuck/ports.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { printable, textTable } from '../../terminal/terminal.ts';
import { recorded } from '../audit/audit-command.ts';
import type { World } from '../operator-command.ts';
import type { SeenEvent, StuckEventTable } from './stuck-event-table.ts';

/** Match handles a signal within a second, unless its shard is behind. */
const LOOKS = 15;
const MS_BETWEEN_LOOKS = 1_000;

interface Wanted {
  readonly 'ordering-key': string;
  readonly stage: ChosenDeployment;
  readonly yes: boolean;
}

export function stuckEventsText(payments: readonly StuckPayment[]): string {
  return [
    `Events of ${payments.length} ${payments.length === 1 ? 'payment wait' : 'payments wait'} for you, the oldest first:`,
    ...textTable([
      ['since', 'service and payment', 'explanation'],
      ...payments.map((payment) => [payment.since, nameOf(payment), payment.explanation]),
    ]),
  ].join('\n');
}

/** Their ids are in the log of match, as `event.set_aside`. */
export function eventsText(payment: StuckPayment, events: readonly SeenEvent[], limit: number): string {
  return [
    `${nameOf(payment)}: its events wait for you since ${payment.since}: ${printable(payment.explanation)}`,
    ...textTable([
      ['order number', 'record', 'came'],
      ...events.map(({ order_number, record_id, admitted_at_ms }) => [
        order_number,
        record_id,
        new Date(admitted_at_ms).toISOString(),
      ]),
    ]),
    ...(events.length === limit ? ['  … and perhaps more; --limit shows more'] : []),
  ].join('\n');
}

/** Sends a signal to release or skip, and watches what becomes of it. */
export async function goOnWithEvents(
  kind: 'release' | 'skip',
  payment: StuckPayment,
  given: Wanted,
  { access, table, print }: Pick<World, 'print'> & { access: StageAccess; table: StuckEventTable },
): Promise<boolean> {
  const { service_id, payment_id, group } = payment;
  const [first] = await table.events(payment, 1);
  const what = kind === 'release' ? 'would continue' : 'would be dead-lettered, and the rest continue';
  if (!given.yes) {
    print(
      `${nameOf(payment)}: ${kind === 'release' ? 'its events' : 'its first event'} ${what}.
Nothing was changed. --yes does it.`,
      {
        [`would_${kind}`]: [nameOf(payment)],
      },
    );
    return true;
  }
  const signal: StuckSignal = {
    ...{ v: 1, kind, service_id, payment_id, group },
    ...(kind === 'skip' && first !== undefined ? { record_id: first.record_id } : {}),
  };
  const asked = { command: `stuck ${kind}`, arguments: { key: given['ordering-key'] } };
  const after = await recorded(await access.operators(), asked, async () => {
    let refused: unknown;
    const send = freshSignals<StuckSignal>(
      access.sqs,
      await access.queueUrl('EventsQueueUrl'),
      (one) => one.group,
      (error) => {
        refused = error;
      },
    );
    const untaken = await send([signal]);
    const became =
      untaken.length > 0 ? new Error(String(refused ?? 'throttled')) : await becoming(table, payment);
    const outcome = {
      go_on: became === undefined ? 1 : 0,
      untaken: untaken.length,
      ...(signal.record_id === undefined ? {} : { given_up: signal.record_id }),
    };
    return { result: became, outcome, changes: [] };
  });
  const text =
    after === undefined
      ? 'not stuck any more: its events have continued'
      : after instanceof Error
        ? `the queue did not take the signal: ${after.message}. Run the command again`
        : `still stuck: ${printable(after.explanation)}. Look at the errors of match`;
  print(`${nameOf(payment)}: ${text}`, {
    outcomes: [{ key: nameOf(payment), goes_on: after === undefined }],
  });
  return after === undefined;
}

/** The payment after a while; undefined when it is stuck no more. */
async function becoming(table: StuckEventTable, payment: StuckPayment): Promise<StuckPayment | undefined> {
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await table.payment(nameOf(payment))) === undefined) {
      return undefined;
    }
    await delay(MS_BETWEEN_LOOKS);
  }
  return table.payment(nameOf(payment));
}

function nameOf({ service_id, payment_id }: StuckPayment): string {
  return `${service_id}.${payment_id}`;
}
