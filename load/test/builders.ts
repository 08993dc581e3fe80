import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import { at } from '../../test/support/message-summaries.ts';
import type { Metered } from '../cost/metered-line.ts';
import type { Findings } from '../lab/findings/findings.ts';
import type { Expected } from '../lab/scenario/expected.ts';

/** The message of `a2`: the second event of payment a. */
export function expectedMessage(name: string, given: Partial<Expected> = {}): Expected {
  return {
    messageId: `msg_${name}`,
    eventId: name,
    paymentId: name.slice(0, 1),
    subscriptionId: 'sub_1',
    sequence: Number(name.slice(1)),
    sentAtMs: Date.parse(at(0)),
    group: 'all',
    ...given,
  };
}

/**
 * Receipts in order of arrival, 100 ms apart, each answered after 50 ms: `a1` accepted, `!a1` refused, `?a1`
 * unanswered.
 */
export function receiptsOf(...names: string[]): Receipt[] {
  return names.map((name, index) => ({
    endpoint: 'e',
    number: index + 1,
    received_at: at(index * 100),
    signature: 'valid',
    webhook_id: `msg_${name.replace(/^[!?]/, '')}`,
    ...(name.startsWith('?')
      ? {}
      : { status: name.startsWith('!') ? 503 : 200, answered_at: at(index * 100 + 50) }),
  }));
}

export function findingsOf(given: Partial<Findings> = {}): Findings {
  return {
    started_at: at(0),
    seconds: 10,
    sent: 100,
    sending_seconds: 10,
    promises: {
      expected: 100,
      delivered: 100,
      lost: 0,
      order_violations: 0,
      repeats: 0,
      invalid_signatures: 0,
      ended: {},
    },
    gaps: [],
    attempts: { delivered: 100 },
    groups: [],
    latencies: {},
    second_width: 1,
    points: [],
    is_interrupted: false,
    remarks: [],
    ...given,
  };
}

/** The usage of one invocation: a full batch, and nothing else. */
export function meteredLine(of: Partial<Metered> & Pick<Metered, 'service'>): Metered {
  return {
    invocation: 2,
    records: 10,
    record_size: 10_000,
    memory_mib: 1_024,
    duration_ms: 0,
    cpu_ms: 0,
    event_loop_delay_ms: 0,
    gc_ms: 0,
    calls: {},
    queue_requests: {},
    events: 0,
    write_units: {},
    read_units: {},
    ...of,
  };
}
