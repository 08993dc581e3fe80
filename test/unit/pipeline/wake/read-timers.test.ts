import { readTimers } from '../../../../functions/pipeline/wake/wake.ts';
import { circuitTimer, signalTimer } from './world.ts';

const record = (messageId: string, body: unknown) => ({
  messageId,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('timers are read with the ids of their records', () => {
  expect(readTimers([record('a', signalTimer('pay-1')), record('b', circuitTimer())])).toEqual({
    fired: [
      { recordId: 'a', timer: signalTimer('pay-1') },
      { recordId: 'b', timer: circuitTimer() },
    ],
    unreadable: [],
  });
});

test('a timer that ends its workers is dropped unread', () => {
  const killer = { explanation: 'three workers died', killsReaders: false };
  expect(readTimers([record('a', signalTimer('pay-1'))], killer)).toEqual({
    fired: [],
    unreadable: [{ recordId: 'a', explanation: 'three workers died' }],
  });
});

test.each([
  ['no JSON', 'nonsense', 'record: is missing, or is not JSON'],
  ['a version to come', { ...circuitTimer(), v: 2 }, 'v: 2 is newer than what is known here'],
  ['no version', { ...circuitTimer(), v: 0 }, 'v: must be 1'],
  [
    'an unknown kind',
    { ...circuitTimer(), kind: 'sundial' },
    'kind: must be one of signal, circuit, recovery, gap, expiry',
  ],
  [
    'an unknown kind of signal',
    { ...signalTimer('pay-1'), signal_kind: 'hurry' },
    'signal_kind: must be one of resume, drain, probe, release, skip, resend, cancel',
  ],
])(
  'a record with %s is told apart with the reason, and keeps no other from being read',
  (_, body, explanation) => {
    const { fired, unreadable } = readTimers([record('bad', body), record('good', circuitTimer())]);
    expect(fired).toEqual([{ recordId: 'good', timer: circuitTimer() }]);
    expect(unreadable).toEqual([{ recordId: 'bad', explanation }]);
  },
);
