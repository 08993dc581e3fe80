import { send } from '../../../../cli/publisher/send-command.ts';
import { readArguments } from '../../../../cli/terminal/read-arguments.ts';

const read = (...args: string[]) => readArguments(send, 'npm run ops --', args);

test('ten payments a second with three events each are sent by default', () => {
  expect(read()).toEqual({
    payments: 10,
    rate: 10,
    'events-per-payment': { min: 3, max: 3 },
    service: 'demo',
    stage: 'local',
    yes: false,
    json: false,
    help: false,
  });
});

test('events per payment may be a range', () => {
  expect(read('--events-per-payment', '2-4')).toMatchObject({ 'events-per-payment': { min: 2, max: 4 } });
});

test('every option that is refused is named, with what was given', () => {
  const args = [
    '--payments',
    '1.5',
    '--rate=0',
    '--events-per-payment',
    '4-2',
    '--service',
    'a b',
    '--stage',
    'x',
  ];
  expect(() => read(...args)).toThrow(
    [
      '--payments: must be a whole number from 1 to 100000, not "1.5"',
      '--rate: must be a number from 0.1 to 1000, not "0"',
      '--events-per-payment: must lie within 1 to 20, the lesser first, not "4-2"',
      '--service: must be 1 to 64 of A-Z a-z 0-9 _ -, not "a b"',
      '--stage: must be one of local, dev, prod, not "x"',
    ].join('\n'),
  );
});
