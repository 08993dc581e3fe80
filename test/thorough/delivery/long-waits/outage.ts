import { setTimeout as delay } from 'node:timers/promises';
import type { MessageView } from '../../../../functions/core/message/message-view.ts';
import type { Service } from '../../../support/deployed/deployed-stack.ts';
import { happening, steps } from '../../../support/deployed/happening.ts';
import { stack } from '../../../support/deployed/shared-stack.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  ACCEPTED,
  accepted,
  overtakers,
  type Reply,
  type ScriptedPartner,
  scriptedPartner,
} from '../../../support/network/scripted-partner.ts';

const OUTAGE_MS = 60_000;
/** With one more event, at most one page of the history. */
const PAYMENTS = Array.from({ length: 48 }, (_, index) => `pay-${index + 1}`);
const STEPS = 2;
/**
 * The first events are published together, the others until the circuit is open: with this many slow at once
 * a drain begins, which counts from zero.
 */
const AT_ONCE = 32;
/**
 * The local stage's longest pause between probes (lib/stages.ts): they start at 1 s and grow by a quarter
 * each.
 */
const LONGEST_COOL_DOWN_MS = 10_000;
/** Payments are sampled, so that a bad one does not speak for all. */
const PROBES_AT_ONCE = 5;
const MAX_PROBES = 16 * PROBES_AT_ONCE;
/** Allowance for a timer, which SQS rounds up to whole seconds, and for its signal, on a busy machine. */
const TRANSIT_MS = 4_000;
const TIMEOUT_MS = 2_000;
/** The reason shown by messages that joined the backlog during a drain, while they are in it. */
const WAITING = ['parked/behind_earlier', 'parked/circuit_open', 'parked/catching_up', 'retrying'];

/** How a partner can be down, and recover. */
interface Outage {
  /** Absent where an attempt gets no answer. */
  readonly script?: () => Promise<Reply>;
  readonly begin?: (partner: ScriptedPartner) => Promise<void>;
  readonly end?: (partner: ScriptedPartner) => Promise<void>;
  readonly failure: Partial<MessageView['attempts'][number]>;
}

const OUTAGES: readonly (readonly [string, Outage])[] = [
  [
    'answers 503',
    {
      // Late enough for the half-open circuit to be observed.
      script: () => delay(500, { status: 503 }),
      failure: { status_code: 503, failure_class: 'http_status' },
    },
  ],
  ['does not answer', { script: () => new Promise(() => {}), failure: { failure_class: 'timeout' } }],
  [
    'refuses connections',
    {
      begin: (partner) => partner.vanish(),
      end: (partner) => partner.comeBack(),
      failure: { failure_class: 'connect' },
    },
  ],
];

const partners: ScriptedPartner[] = [];
const watches: ReturnType<typeof watch>[] = [];

afterAll(async () => {
  await Promise.allSettled(watches.map((watched) => watched.stop()));
  await Promise.all(partners.map((partner) => partner.stop()));
});

test.concurrent.each(OUTAGES)(
  'a partner who %s for a minute costs few probes, is detected soon after it recovers, and gets everything in order',
  async (_, { script, begin, end, failure }) => {
    const service = await stack.newService();
    let isDown = false;
    const partner = await scriptedPartner(() => (isDown && script !== undefined ? script() : ACCEPTED));
    partners.push(partner);
    const { id } = await service.subscribe(partner.url('partner'), { timeout_ms: TIMEOUT_MS });
    const watched = watch(service, id);
    watches.push(watched);
    const all = steps(service, PAYMENTS, STEPS);

    isDown = true;
    await begin?.(partner);
    await stack.publish(...all.slice(0, AT_ONCE));
    const rest = all.slice(AT_ONCE);
    const others = rest.splice(0, PAYMENTS.length - AT_ONCE);
    while (!watched.seen().includes('open') && others.length > 0) {
      await stack.publish(...others.splice(0, 1));
      await delay(500);
    }
    await watched.untilCircuitIs('open');
    const endsAtMs = Date.now() + OUTAGE_MS;
    rest.unshift(...others);
    for (const [index, event] of rest.entries()) {
      await stack.publish(event);
      await delay(Math.max(0, endsAtMs - Date.now()) / (rest.length - index));
    }
    const held = await service.messages(id, (messages) => messages.length === all.length);
    expect(WAITING).toEqual(expect.arrayContaining(statesOf(held)));
    expect(statesOf(held)).toContain('parked/circuit_open');

    const changesBefore = watched.seen().length;
    isDown = false;
    await end?.(partner);
    const backAtMs = Date.now();
    const first = await eventually('the first one is accepted', async () =>
      partner.arrivals().find(({ status }) => status === 200),
    );
    expect(first.arrivedAtMs - backAtMs).toBeLessThan(LONGEST_COOL_DOWN_MS + TIMEOUT_MS + TRANSIT_MS);
    await watched.untilCircuitIs('draining');
    const late = happening(service, { payment_id: 'pay-late', resource: { step: 1 } });
    await stack.publish(late);
    // It is last in the backlog.
    await service.messages(id, (messages) => statesOf(messages).includes('parked/catching_up'));
    await watched.untilCircuitIs('closed');
    // A payment that was due later than the backlog is attempted at its time.
    await service.messages(id, (messages) => messages.every(({ state }) => state === 'succeeded'));
    const seen = await watched.stop();
    // A hanging partner may have been drained as slow before it was found to be down.
    expect(seen.slice(seen.indexOf('draining', changesBefore))).toEqual(['draining', 'closed']);
    expect(script === undefined || seen.includes('half_open')).toBe(true);

    // Each once, and in order for each payment.
    expect(overtakers(partner.arrivals())).toEqual([]);
    expect(accepted(partner.arrivals()).sort()).toEqual(
      [...PAYMENTS.flatMap((payment) => [1, 2].map((step) => `${payment}/${step}`)), 'pay-late/1'].sort(),
    );
    const failed = await failedAttempts(service, id);
    const probes = failed.filter(({ probe }) => probe);
    expect(probes.length).toBeGreaterThanOrEqual(3);
    expect(probes.length).toBeLessThanOrEqual(MAX_PROBES);
    // What was in flight when it opened: each payment's first attempt, and a second or third one that was due
    // before twenty failures were counted.
    expect(failed.length - probes.length).toBeLessThanOrEqual(3 * PAYMENTS.length);
    expect(failed).toEqual(failed.map(() => expect.objectContaining(failure)));
  },
  OUTAGE_MS + 180_000,
);

/** The distinct `state/reason` of messages. */
function statesOf(messages: readonly Pick<MessageView, 'state' | 'state_reason'>[]): string[] {
  const states = messages.map(({ state, state_reason }) =>
    state_reason === undefined ? state : `${state}/${state_reason}`,
  );
  return [...new Set(states)].sort();
}

async function failedAttempts(service: Service, subscriptionId: string): Promise<MessageView['attempts']> {
  const messages = await service.messages(subscriptionId, () => true);
  const failed: MessageView['attempts'][number][] = [];
  for (const { message_id } of messages.filter(({ attempt_count }) => attempt_count > 1)) {
    const { attempts } = await service.message(message_id);
    failed.push(...attempts.filter(({ failure_class }) => failure_class !== undefined));
  }
  return failed;
}

type CircuitState = Awaited<ReturnType<Service['subscription']>>['circuit']['state'];

/** Polls a circuit and returns the sequence of states that it observed. */
function watch(service: Service, subscriptionId: string) {
  const seen: CircuitState[] = [];
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const { circuit } = await service.subscription(subscriptionId);
      if (circuit.state !== seen.at(-1)) {
        seen.push(circuit.state);
      }
      await delay(200);
    }
  })();
  // Errors are reported to whoever stops it.
  watching.catch(() => {});
  return {
    /** Waits for this state, whatever came before. */
    untilCircuitIs: (state: CircuitState) =>
      eventually(`the circuit is ${state}`, async () => seen.at(-1) === state),
    seen: (): readonly CircuitState[] => seen,
    async stop() {
      stopped.abort();
      await watching;
      return seen;
    },
  };
}
