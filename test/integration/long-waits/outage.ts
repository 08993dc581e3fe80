import { setTimeout as delay } from 'node:timers/promises';
import type { MessageView } from '../../../functions/core/message-view.ts';
import { type DeployedStack, deployedStack, type Service } from '../../support/deployed-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { happening, steps } from '../../support/happening.ts';
import {
  ACCEPTED,
  accepted,
  overtakers,
  type Reply,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/scripted-partner.ts';

const OUTAGE_MS = 60_000;
const PAYMENTS = Array.from({ length: 24 }, (_, index) => `pay-${index + 1}`);
const STEPS = 4;
/** The first of so many are sent together, and make the circuit open. */
const AT_ONCE = 10;
/** Of the local stage (lib/stages.ts): it is probed after 2, 4, 8, 10, 10, … seconds. */
const LONGEST_COOL_DOWN_MS = 10_000;
const MOST_PROBES = 7;
/** Of a timer, which SQS rounds up to whole seconds, and of its hint, on a machine that has other things to do. */
const TRANSIT_MS = 4_000;
const TIMEOUT_MS = 1_000;

/** How a partner can be down, and back. */
interface Outage {
  /** Absent where nothing is heard of an attempt. */
  readonly script?: () => Promise<Reply>;
  readonly begin?: (partner: ScriptedPartner) => Promise<void>;
  readonly end?: (partner: ScriptedPartner) => Promise<void>;
  readonly failure: Partial<MessageView['attempts'][number]>;
}

const OUTAGES: readonly (readonly [string, Outage])[] = [
  [
    'answers 503',
    {
      // Late enough for the half-open circuit to be seen.
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

let stack: DeployedStack;
const partners: ScriptedPartner[] = [];

beforeAll(async () => {
  stack = await deployedStack();
});
afterAll(async () => {
  await Promise.all(partners.map((partner) => partner.stop()));
  stack?.close();
});

test.concurrent.each(OUTAGES)(
  'a partner who %s for a minute costs some probes, is found soon after it is back, and gets everything in order',
  async (_, { script, begin, end, failure }) => {
    const service = await stack.newService();
    let isDown = false;
    const partner = await scriptedPartner(() => (isDown && script !== undefined ? script() : ACCEPTED));
    partners.push(partner);
    const { id } = await service.subscribe(partner.url('partner'), { timeout_ms: TIMEOUT_MS });
    const watched = watch(service, id);
    const all = steps(service, PAYMENTS, STEPS);

    isDown = true;
    await begin?.(partner);
    const endsAtMs = Date.now() + OUTAGE_MS;
    await stack.publish(...all.slice(0, AT_ONCE));
    await watched.untilCircuitIs('open');
    const rest = all.slice(AT_ONCE);
    for (const [index, event] of rest.entries()) {
      await stack.publish(event);
      await delay(Math.max(0, endsAtMs - Date.now()) / (rest.length - index));
    }
    const held = await service.messages(id, (messages) => messages.length === all.length);
    expect(statesOf(held)).toEqual(['parked/behind_earlier', 'parked/circuit_open']);

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
    // It comes last in the line.
    await service.messages(id, (messages) => statesOf(messages).includes('parked/catching_up'));
    await watched.untilCircuitIs('closed');
    expect(statesOf(await service.messages(id, () => true))).toEqual(['succeeded']);
    const seen = await watched.stop();
    expect(seen.slice(seen.indexOf('draining'))).toEqual(['draining', 'closed']);
    expect(script === undefined || seen.includes('half_open')).toBe(true);

    // Each once, and each payment's in order.
    expect(overtakers(partner.arrivals())).toEqual([]);
    expect(accepted(partner.arrivals()).sort()).toEqual(
      [
        ...PAYMENTS.flatMap((payment) => [1, 2, 3, 4].map((step) => `${payment}/${step}`)),
        'pay-late/1',
      ].sort(),
    );
    const failed = await failedAttempts(service, id);
    const probes = failed.filter(({ probe }) => probe);
    expect(probes.length).toBeGreaterThanOrEqual(3);
    expect(probes.length).toBeLessThanOrEqual(MOST_PROBES);
    // What was under way when it opened: each payment's first attempt, and a second one where that was due before the fifth had failed.
    expect(failed.length - probes.length).toBeLessThanOrEqual(2 * AT_ONCE);
    expect(failed).toEqual(failed.map(() => expect.objectContaining(failure)));
  },
  OUTAGE_MS + 60_000,
);

/** `state/reason` of messages, each once. */
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

/** Looks at a circuit again and again: the states that it was seen in, as they followed one another. */
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
  return {
    /** That it is so at last, whatever it was before. */
    untilCircuitIs: (state: CircuitState) =>
      eventually(`the circuit is ${state}`, async () => seen.at(-1) === state),
    async stop() {
      stopped.abort();
      await watching;
      return seen;
    },
  };
}
