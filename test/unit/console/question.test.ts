import {
  askedOf,
  narrowed,
  parametersOf,
  periodBefore,
  periodOf,
  timesIn,
} from '../../../console/analysis/question.ts';
import { hrefOf, routeOf } from '../../../console/app/route.ts';

const asked = (query: string) => askedOf(new URLSearchParams(query), 'Europe/London');
const NOW = Date.parse('2026-11-14T10:00:00.000Z');

test('an address without a question asks what failed in the last week', () => {
  expect(asked('')).toEqual({
    ...{ question: 'failures', by: ['service'], days: '7', since: '', until: '' },
    ...{ zone: 'Europe/London', service: '', type: '', live: '' },
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
  ['since=2026-11-10T00:00:00.000Z', { days: '7' }],
])('%s is put right', (query, expected) => {
  expect(asked(query)).toMatchObject(expected);
});

test('a period ends now, and the one before it where it begins', () => {
  const week = periodOf(asked('days=7'), NOW);
  expect(week).toEqual({ since: '2026-11-07T10:00:00.000Z', until: '2026-11-14T10:00:00.000Z' });
  expect(periodBefore(week)).toEqual({ since: '2026-10-31T10:00:00.000Z', until: week.since });
});

test('a click on a group asks about it alone, by something else', () => {
  expect(narrowed(asked('by=service'), 'service', 'shop')).toMatchObject({
    service: 'shop',
    by: ['subscription'],
  });
  expect(narrowed(asked('by=service,reason'), 'service', 'shop')).toMatchObject({
    service: 'shop',
    by: ['reason'],
  });
  expect(narrowed(asked('by=hour&question=volume'), 'hour', '2026-11-14T09:00:00.000Z')).toMatchObject({
    since: '2026-11-14T09:00:00.000Z',
    until: '2026-11-14T10:00:00.000Z',
    days: '',
    by: ['service'],
  });
  const reasons = asked('by=reason');
  expect(narrowed(reasons, 'reason', 'timeout')).toBe(reasons);
});

test('an axis has every day and hour of a period, also when clocks change', () => {
  const period = { since: '2026-10-24T12:00:00.000Z', until: '2026-10-26T12:00:00.000Z' };
  expect(timesIn(asked('by=day&zone=Europe/London&question=volume'), period)).toEqual([
    '2026-10-24',
    '2026-10-25',
    '2026-10-26',
  ]);
  const hours = timesIn(asked('by=hour&question=volume'), period);
  expect([hours.length, hours[0], hours.at(-1)]).toEqual([
    48,
    '2026-10-24T12:00:00.000Z',
    '2026-10-26T11:00:00.000Z',
  ]);
});
