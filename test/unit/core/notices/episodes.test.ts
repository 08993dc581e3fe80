import fc from 'fast-check';
import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { Episodes } from '../../../../functions/core/notices/episodes.ts';
import { look } from '../../../../functions/core/notices/look.ts';
import type { OperationalEvent } from '../../../../functions/core/operational-events/operational-event.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { subscription } from '../../../support/builders.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-02T08:00:00.000Z');
/** An instant, by hours after the start. */
const at = (hours: number) => instant(START + hours * HOUR);

const open = (sinceHours: number, over: Partial<Circuit> = {}): Circuit =>
  ({
    ...CLOSED,
    ...{ state: 'open', revision: 1, cool_down_ms: 1_000, probe_at: at(sinceHours) },
    in_trouble_since: at(sinceHours),
    ...over,
  }) as Circuit;

function event(type: OperationalEvent['type'], hours: number, over: object = {}): OperationalEvent {
  const head = { v: 1, id: `op_${type}_${hours}`, type, at: at(hours) };
  return {
    ...head,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    reason: 'payments_failed',
    ...over,
  } as never;
}

/** Looks again and again; answers the notices as `hour kind`, each with what it says. */
function weeks(looks: readonly [number, Partial<Subscription>, ...OperationalEvent[]][]) {
  let episodes: Episodes = {};
  return looks.flatMap(([hours, over, ...happened]) => {
    const told = look(episodes, subscription(over), happened, START + hours * HOUR);
    episodes = told.episodes;
    return told.notices.map(({ kind, notice_id: _, at: __, ...says }) => [hours, kind, says]);
  });
}

test('an endpoint that fails is told at once, after an hour, and again when it fails after four quiet hours', () => {
  expect(
    weeks([
      [0, {}],
      [1, { circuit: open(0.9) }],
      [1.5, { circuit: open(0.9) }],
      [2, { circuit: open(0.9) }],
      [50, { circuit: open(0.9) }],
      [51, { circuit: CLOSED }],
      [53, { circuit: open(52.9) }],
      [60, { circuit: CLOSED }],
      [200, { circuit: open(199.9) }],
    ]),
  ).toEqual([
    [1, 'endpoint.failing', { since: at(0.9) }],
    [2, 'endpoint.open', { since: at(0.9) }],
    [200, 'endpoint.failing', { since: at(199.9) }],
  ]);
});

test('openings between looks are told once, and counted in a digest a day after the first that repeats', () => {
  const flaps = [2, 3, 4, 5].map((hours): [number, object, OperationalEvent] => [
    hours,
    {},
    event('circuit.opened', hours),
  ]);
  expect(
    weeks([[0, {}], ...flaps, [5, {}, event('circuit.opened', 5)], [26, {}], [27, {}], [60, {}]]),
  ).toEqual([
    [2, 'endpoint.failing', { since: at(2) }],
    [27, 'digest', { since: at(3), failed_again: 3, given_up: 0 }],
  ]);
});

test('a missed look makes no second episode of trouble that continues, and an hour seen late is one notice', () => {
  const circuit = open(0);
  expect(
    weeks([
      [0, {}],
      [3, { circuit }],
      [40, { circuit }, event('circuit.opened', 39.9)],
      [90, { circuit }],
    ]),
  ).toEqual([
    [3, 'endpoint.open', { since: at(0) }],
    [90, 'digest', { since: at(39.9), failed_again: 1, given_up: 0 }],
  ]);
});

test('nobody is told of what an operator, a pause or its own load does to a circuit', () => {
  const byHand = { ...open(0), probe_at: undefined } as Circuit;
  expect(
    weeks([
      [1, { circuit: byHand }, event('circuit.opened', 1, { reason: 'by_operator' })],
      [2, { circuit: open(0), state: 'paused' }],
      [
        3,
        { circuit: { ...CLOSED, state: 'draining', window: 4, cause: 'crowded', in_trouble_since: at(2) } },
      ],
    ]),
  ).toEqual([]);
});

test('messages that are given up are told once, and a doubled or old event counts nothing', () => {
  const [first, second, third] = [0, 1, 2].map((hours) => event('message.exhausted', hours));
  expect(
    weeks([
      [1, {}, second!, first!, first!],
      [2, {}, third!],
      [26, {}],
      [80, {}, event('message.exhausted', 40)],
      [81, {}, event('message.exhausted', 81)],
    ]),
  ).toEqual([
    [1, 'messages.given_up', { since: at(0), given_up: 2 }],
    [26, 'digest', { since: at(2), failed_again: 0, given_up: 1 }],
    [81, 'messages.given_up', { since: at(81), given_up: 1 }],
  ]);
});

test('each time that a subscription is disabled is told, with its reason', () => {
  const disabled = (hours: number) =>
    ({ state: 'disabled', disabled_at: at(hours), disabled_reason: 'gone' }) as const;
  expect(
    weeks([
      [1, disabled(0)],
      [2, disabled(0)],
      [3, {}],
      [4, disabled(3.5)],
    ]),
  ).toEqual([
    [1, 'subscription.disabled', { since: at(0), reason: 'gone' }],
    [4, 'subscription.disabled', { since: at(3.5), reason: 'gone' }],
  ]);
});

test('a new secret is told with the end of the others; an end that nears is told once, unless it just was', () => {
  const secret = (id: string, hours: number, ends?: number) => ({
    ...{ secret_id: id, public_key: 'whpk_', created_at: at(hours) },
    ...(ends === undefined ? {} : { expires_at: at(ends) }),
  });
  const having = (...signing_secrets: ReturnType<typeof secret>[]) => ({ signing_secrets });
  expect(
    weeks([
      [0, having(secret('a', 0))],
      [1, having(secret('b', 1), secret('a', 0, 100))],
      [70, having(secret('b', 1), secret('a', 0, 100))],
      [77, having(secret('b', 1), secret('a', 0, 100))],
      [78, having(secret('b', 1), secret('a', 0, 100))],
      [101, having(secret('c', 101), secret('b', 1, 102))],
      [101.5, having(secret('c', 101), secret('b', 1, 102))],
    ]),
  ).toEqual([
    [1, 'secret.rotated', { since: at(1), ends_at: at(100) }],
    [77, 'secret.ending', { since: at(0), ends_at: at(100) }],
    [101, 'secret.rotated', { since: at(101), ends_at: at(102) }],
  ]);
});

/**
 * Trouble of an endpoint in minutes: how long it is well, then how long it fails, and how long nobody looks
 * from then on, where the event that tells of it is lost, too.
 */
const troubles = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 900 }),
    fc.integer({ min: 1, max: 400 }),
    fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 })),
  ),
  { minLength: 1, maxLength: 25 },
);

test('whatever an endpoint does, each episode is told once, an hour of it once, and none is missing', () => {
  fc.assert(
    fc.property(troubles, fc.boolean(), (spans, losesEvents) => {
      const MINUTE = 60_000;
      let nowMs = START;
      let episodes: Episodes = {};
      const told: string[] = [];
      const lookAt = (circuit: Circuit | undefined, happened: OperationalEvent[]) => {
        const answer = look(episodes, subscription({ circuit }), happened, nowMs);
        episodes = answer.episodes;
        told.push(...answer.notices.map(({ kind }) => kind).filter((kind) => kind.startsWith('endpoint.')));
      };
      const expected: string[] = [];
      let endedMs = Number.NEGATIVE_INFINITY;
      let hasHour = false;
      for (const [well, failing, gap] of spans) {
        const unseen = losesEvents ? gap : 0;
        for (let minute = 0; minute < well; minute += 5) {
          lookAt(CLOSED, []);
          nowMs += 5 * MINUTE;
        }
        const beganMs = nowMs;
        // Its end is noted to the hour: between three and four hours either is right, so none is tried.
        if (beganMs - endedMs > 180 * MINUTE && beganMs - endedMs < 250 * MINUTE) {
          nowMs += 250 * MINUTE;
          continue;
        }
        if (unseen > failing) {
          nowMs += failing * MINUTE;
          continue;
        }
        if (beganMs - endedMs > 240 * MINUTE) {
          hasHour = unseen >= 60;
          expected.push(hasHour ? 'endpoint.open' : 'endpoint.failing');
        }
        nowMs += unseen * MINUTE;
        const circuit = { ...open(0), in_trouble_since: instant(beganMs) };
        const opened = {
          ...event('circuit.opened', 0),
          at: instant(beganMs),
          failing_since: instant(beganMs),
        };
        lookAt(circuit, losesEvents ? [] : [opened as OperationalEvent, opened as OperationalEvent]);
        for (let minute = unseen; minute < failing; minute += 5) {
          nowMs += 5 * MINUTE;
          lookAt(circuit, []);
        }
        if (!hasHour && nowMs - beganMs >= HOUR) {
          expected.push('endpoint.open');
          hasHour = true;
        }
        endedMs = nowMs;
      }
      expect(told).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
