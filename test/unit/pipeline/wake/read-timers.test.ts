import { readTimers } from '../../../../functions/pipeline/wake/read-timers.ts';
import { hintTimer, tickTimer } from './world.ts';

const record = (messageId: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('timers are read with the ids of their records', () => {
  expect(readTimers([record('a', hintTimer('pay-1')), record('b', tickTimer())])).toEqual({
    rung: [
      { recordId: 'a', timer: hintTimer('pay-1') },
      { recordId: 'b', timer: tickTimer() },
    ],
    unreadable: [],
  });
});

test.each([
  ['no JSON', 'tick', 'record: is missing, or is not JSON'],
  ['a version to come', { ...tickTimer(), v: 2 }, 'v: 2 is newer than what is known here'],
  ['no version', { ...tickTimer(), v: 0 }, 'v: must be 1'],
  ['an unknown kind', { ...tickTimer(), kind: 'tock' }, 'kind: must be one of hint, tick, recovery'],
  [
    'an unknown wish',
    { ...hintTimer('pay-1'), wish: 'hurry' },
    'wish: must be one of due, drain, probe, release, skip, resend',
  ],
])(
  'a record with %s is told apart with the reason, and keeps no other from being read',
  (_, body, explanation) => {
    const { rung, unreadable } = readTimers([record('bad', body), record('good', tickTimer())]);
    expect(rung).toEqual([{ recordId: 'good', timer: tickTimer() }]);
    expect(unreadable).toEqual([{ recordId: 'bad', explanation }]);
  },
);
