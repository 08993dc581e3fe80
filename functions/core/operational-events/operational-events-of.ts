import { createHash } from 'node:crypto';
import { isPing } from '../catalogue/ping-names.ts';
import type { Circuit } from '../circuit/circuit.ts';
import type { EndpointHealth } from '../circuit/health-shape.ts';
import { isOpenByHand } from '../circuit/operator-signals.ts';
import type { MessageRecord } from '../message/history.ts';
import type { ExhaustedReason } from '../message/message.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { instant } from '../text/instant.ts';
import type { OperationalEvent, OperationalEventType } from './operational-event.ts';

type Name = Pick<Subscription, 'service_id' | 'subscription_id'>;

/** The operational events of a change of endpoint health; none where nothing has changed. */
export function eventsOfChange(
  name: Name,
  before: EndpointHealth,
  after: EndpointHealth,
  nowMs: number,
): OperationalEvent[] {
  const { revision } = after.circuit;
  const head = <Type extends OperationalEventType>(type: Type) =>
    headOf(type, name, revision, instant(nowMs));
  return [
    ...stateEvents(before, after, head),
    ...circuitEvents(before, after, head),
    ...backlogEvents(before, after, head),
  ];
}

type Head = <Type extends OperationalEventType>(type: Type) => ReturnType<typeof headOf<Type>>;

function stateEvents(
  { state: previous_state }: EndpointHealth,
  after: EndpointHealth,
  head: Head,
): OperationalEvent[] {
  if (after.state === previous_state) {
    return [];
  }
  switch (after.state) {
    case 'active':
      return [{ ...head('subscription.enabled'), previous_state }];
    case 'disabled':
      return after.disabled_reason === undefined
        ? []
        : [{ ...head('subscription.disabled'), reason: after.disabled_reason, previous_state }];
    default:
      return [{ ...head(`subscription.${after.state}`), previous_state }];
  }
}

/**
 * Only for active subscriptions: otherwise the circuit follows from the state. A failed probe is not
 * reported.
 */
function circuitEvents(
  { circuit: before }: EndpointHealth,
  { state, circuit: after }: EndpointHealth,
  head: Head,
): OperationalEvent[] {
  const wasOpenedByHand = isOpenByHand({ circuit: after }) && !isOpenByHand({ circuit: before });
  if (state !== 'active' || (before.state === after.state && !wasOpenedByHand)) {
    return [];
  }
  const isFailedProbe = before.state === 'half_open' && !isOpenByHand({ circuit: after });
  if (after.state === 'open' && !isFailedProbe) {
    return [
      {
        ...head('circuit.opened'),
        reason: openedBecause(before, after),
        ...(after.failing_since === undefined ? {} : { failing_since: after.failing_since }),
        ...(after.probe_at === undefined ? {} : { probe_at: after.probe_at }),
      },
    ];
  }
  return after.state === 'closed'
    ? [
        {
          ...head('circuit.closed'),
          ...(before.state !== 'draining' || before.since === undefined
            ? {}
            : { draining_since: before.since }),
        },
      ]
    : [];
}

function openedBecause(before: Circuit, after: Circuit) {
  if (isOpenByHand({ circuit: after })) {
    return 'by_operator';
  }
  return before.state === 'draining' ? 'drain_failed' : 'payments_failed';
}

function backlogEvents(
  { circuit: { backlog_size: before } }: EndpointHealth,
  { circuit: { backlog_size: after } }: EndpointHealth,
  head: Head,
): OperationalEvent[] {
  if (after === undefined || before?.since === after.since) {
    return [];
  }
  const { waiting } = after;
  return before?.since === undefined
    ? [{ ...head('messages.waiting'), waiting }]
    : [{ ...head('messages.waiting.eased'), waiting, waiting_since: before.since }];
}

/** An exhausted message is reported; a test ping is not: it has a single attempt. */
export function eventsOfRecord(record: MessageRecord, nowMs: number): OperationalEvent[] {
  if (record.state !== 'exhausted' || isPing(record)) {
    return [];
  }
  const { message_id, payment_id, event_id, event_type, attempt_count, admitted_at, ended_at } = record;
  const { last_status_code, last_failure_class } = record;
  return [
    {
      ...headOf('message.exhausted', record, `${message_id} ${attempt_count}`, ended_at ?? instant(nowMs)),
      reason: record.state_reason as ExhaustedReason,
      message_id,
      payment_id,
      event_id,
      event_type,
      attempt_count,
      admitted_at,
      ...(last_status_code === undefined ? {} : { last_status_code }),
      ...(last_failure_class === undefined ? {} : { last_failure_class }),
    },
  ];
}

/** @param which distinguishes this event from earlier ones of the same type and subscription */
function headOf<Type extends OperationalEventType>(
  type: Type,
  { service_id, subscription_id }: Name,
  which: string | number,
  at: string,
) {
  const digest = createHash('sha256').update(`${type}\n${subscription_id}\n${which}`).digest();
  const id = `op_${digest.subarray(0, 18).toString('base64url')}`;
  return { v: 1, id, type, at, service_id, subscription_id } as const;
}
