import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Message } from '../../../../functions/core/message/message.ts';
import { inMemorySequences } from '../../../../functions/core/sequence/in-memory-sequences.ts';
import { inMemoryStuck } from '../../../../functions/core/stuck/in-memory-stuck.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import { observe } from '../../../../functions/pipeline/match/observe.ts';
import type { DeadEvent, DeadLetterReason, MatchPorts } from '../../../../functions/pipeline/match/ports.ts';
import { sendingUntil } from '../../../../functions/pipeline/match/sending-until.ts';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { metrics } from '../../../../functions/telemetry/metrics.ts';
import { intake, paymentEvent, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

describe('observe', () => {
  afterEach(() => metrics.clearMetrics());

  const deadLettered = (reason: DeadLetterReason): DeadEvent => ({
    intake: intake('{}'),
    reason,
    explanation: 'x',
  });

  test('events that were dead-lettered because routes cannot be read have a count of their own: only an operator can fix that', () => {
    observe({
      matched: [],
      deadLettered: [
        deadLettered('routes_unreadable'),
        deadLettered('malformed'),
        deadLettered('routes_unreadable'),
      ],
      sequenced: [],
      stuck: [],
      setAside: [],
    });
    expect(metrics.serializeMetrics()).toMatchObject({
      [METRIC.eventDeadLettered]: 3,
      [METRIC.routesUnreadable]: 2,
    });
  });

  test('a mistake of a publisher is none of ours', () => {
    observe({
      matched: [],
      deadLettered: [deadLettered('malformed')],
      sequenced: [],
      stuck: [],
      setAside: [],
    });
    expect(metrics.serializeMetrics()).not.toHaveProperty([METRIC.routesUnreadable]);
  });
});

describe('sending until', () => {
  const ROUTE = { subscription_id: 'sub_1', event_types: ['*'], live: false };

  test('an invocation whose time is over sends nothing more: what is left is received again, in order, and is told', async () => {
    let nowMs = TEN_O_CLOCK_MS;
    const sent: string[] = [];
    const faults: [string, number][] = [];
    const ports: MatchPorts = {
      catalogue: GOV_UK_PAY,
      ...inMemorySequences(),
      ...inMemoryStuck(),
      arm: async () => {},
      now: () => nowMs,
      routesOf: async () => ({
        routes: new Map([['bakery', [ROUTE]]]),
        unreadable: new Map(),
        untaken: new Set(),
        stuck: new Map(),
      }),
      keepResource: async () => {},
      forward: async () => {},
      async send(messages: readonly Message[]) {
        sent.push(...messages.map(({ event_id }) => event_id));
        // Each takes ten seconds.
        nowMs += 10_000;
        return [];
      },
      deadLetter: async () => [],
      internalError: (error, events) => faults.push([(error as Error).message, events]),
      observe: () => {},
    };
    const ofOnePayment = ['evt-1', 'evt-2', 'evt-3'].map((event_id) => intake(paymentEvent({ event_id })));

    const again = await match(
      ofOnePayment,
      sendingUntil(ports, TEN_O_CLOCK_MS + 17_000, () => nowMs),
      DELIVERY_POLICY,
    );

    expect(sent).toEqual(['evt-1', 'evt-2']);
    expect(again).toEqual(['record of evt-3']);
    expect(faults).toEqual([['no time was left to send', 1]]);
  });
});
