import {
  askedOf,
  lengthOf,
  narrowed,
  parametersOf,
  periodBefore,
  periodOf,
  timesIn,
  within,
} from '../../../console/analysis/question.ts';
import { hrefOf, routeOf } from '../../../console/app/route.ts';
import type { Dimension } from '../../../functions/core/analysis/analysis-table.ts';

const asked = (query: string) => askedOf(new URLSearchParams(query), 'Europe/London');
const NOW = Date.parse('2026-11-14T10:00:00.000Z');

test('an address without a question asks what failed in the last week', () => {
  expect(asked('')).toEqual({
    ...{ question: 'failures', by: ['service'], days: '7', since: '', until: '' },
    ...{ zone: 'Europe/London', service: '', subscription: '' },
    ...{ reason: '', status: '', type: '', live: '', compared: '' },
  });
});

test.each([
  'question=acknowledgement&by=day,service&days=28&zone=Asia/Tokyo',
  'question=not-acknowledged&by=type&days=1&zone=UTC&service=shop&type=invoice.paid&live=true',
  'question=volume&by=hour&since=2026-11-10T00:00:00.000Z&until=2026-11-11T00:00:00.000Z&zone=UTC',
])('%s survives its address', (query) => {
  const question = asked(query);
  const parameters = parametersOf(question);
  const route = routeOf(hrefOf({ screen: 'analysis', parameters }, 'shop'));
  const kept = route.screen === 'analysis' ? route.parameters : undefined;
  expect(asked(String(new URLSearchParams(kept)))).toEqual(question);
});

test.each([
  ['question=why&by=colour&days=8', { question: 'failures', by: ['service'], days: '7' }],
  ['question=volume&by=reason,day,service,hour', { by: ['day', 'service'] }],
  ['by=service,service,reason', { by: ['service', 'reason'] }],
  ['since=2026-11-10T00:00:00.000Z', { days: '7' }],
])('%s is put right', (query, expected) => {
  expect(asked(query)).toMatchObject(expected);
});

test('a period ends now, and the one before it where it begins', () => {
  const week = periodOf(asked('days=7'), NOW);
  expect(week).toEqual({ since: '2026-11-07T10:00:00.000Z', until: '2026-11-14T10:00:00.000Z' });
  expect(periodBefore(week)).toEqual({ since: '2026-10-31T10:00:00.000Z', until: week.since });
});

const DAY = { since: '2026-10-25T00:00:00.000Z', until: '2026-10-27T12:00:00.000Z' };

test('a click on a group asks about it alone, by something else', () => {
  const click = (query: string, ...of: [Dimension, string]) => narrowed(asked(query), ...of, [], '');
  expect(click('by=service', 'service', 'shop')).toMatchObject({ service: 'shop', by: ['subscription'] });
  expect(click('by=service,reason', 'service', 'shop')).toMatchObject({ service: 'shop', by: ['reason'] });
  expect(click('by=reason', 'reason', 'timeout')).toMatchObject({ reason: 'timeout', by: ['service'] });
  const messages = 'question=not-acknowledged&by=subscription&service=shop';
  expect(click(messages, 'subscription', 'sub_1')).toMatchObject({ subscription: 'sub_1', by: ['reason'] });
  const ofAReason = asked('question=not-acknowledged&by=subscription&service=shop&reason=timeout');
  expect(narrowed(ofAReason, 'subscription', 'sub_1', [], '').by).toEqual(['message']);
});

test('a click on a day asks about it by the hour', () => {
  const question = asked(`by=day,service&zone=Europe/London`);
  const times = timesIn('day', 'Europe/London', DAY);
  expect(narrowed(question, 'day', '2026-10-25', times, DAY.until)).toMatchObject({
    ...{ since: '2026-10-25T00:00:00.000Z', until: '2026-10-26T00:00:00.000Z', days: '' },
    by: ['hour', 'service'],
  });
  expect(narrowed(question, 'day', '2026-10-27', times, DAY.until)).toMatchObject({ until: DAY.until });
  expect(narrowed(question, 'day', '2026-11-25', times, DAY.until)).toBe(question);
});

test('a part of a period is asked for by the hour if it is short, else as before', () => {
  const [since, until, later] = [
    '2026-11-10T00:00:00.000Z',
    '2026-11-12T00:00:00.000Z',
    '2026-11-12T01:00:00.000Z',
  ];
  expect(within(asked('by=day'), since, until)).toMatchObject({ since, until, days: '', by: ['hour'] });
  expect(within(asked('by=day'), since, later)).toMatchObject({ since, until: later, by: ['day'] });
  expect([lengthOf(asked(''), { since, until }), lengthOf(asked(''), { since, until: later })]).toEqual([
    'hour',
    'day',
  ]);
});

test('what an address has instead of an instant is left out', () => {
  expect(asked("since=2026-11-10&until=never'").days).toBe('7');
  expect(asked('since=2026-11-10&until=2026-11-11').until).toBe('2026-11-11T00:00:00.000Z');
});

test('an axis has every day and hour of a period, also when clocks change', () => {
  const period = { since: '2026-10-24T12:30:00.000Z', until: '2026-10-26T12:00:00.000Z' };
  expect(timesIn('day', 'Europe/London', period)).toEqual([
    { name: '2026-10-24', since: '2026-10-24T12:30:00.000Z' },
    { name: '2026-10-25', since: '2026-10-24T23:00:00.000Z' },
    { name: '2026-10-26', since: '2026-10-26T00:00:00.000Z' },
  ]);
  const hours = timesIn('hour', 'UTC', period);
  expect([hours.length, hours[0]?.name, hours[0]?.since]).toEqual([
    48,
    '2026-10-24T12:00:00.000Z',
    '2026-10-24T12:30:00.000Z',
  ]);
});
