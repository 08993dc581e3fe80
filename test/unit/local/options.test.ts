import { sendOptions } from '../../../cli/publisher/send-options.ts';
import { localOptions, refuseOtherNode } from '../../../local/local-options.ts';

test('by default the local stack listens on 4566 and prints no details', () => {
  expect(localOptions([])).toEqual({
    port: 4566,
    demo: false,
    'slow-store': false,
    archive: false,
    'separate-processes': false,
  });
  const flags = ['--demo', '--slow-store', '--archive', '--separate-processes'];
  expect(localOptions(['--port', '5000', '--workers', '150', ...flags])).toEqual({
    port: 5000,
    demo: true,
    'slow-store': true,
    archive: true,
    'separate-processes': true,
    workers: 150,
  });
  expect(localOptions(['--help'])).toBe('help');
});

test.each(['80', '65536', '4566.5', 'x', ''])('the port %p is refused', (port) => {
  expect(() => localOptions(['--port', port])).toThrow('--port: must be a whole number from 1024 to 65535');
});

test('fewer workers than SQS takes are refused', () => {
  expect(() => localOptions(['--workers', '1'])).toThrow('--workers: must be a whole number from 2 to 1000');
});

test('an option that does not exist is refused', () => {
  expect(() => localOptions(['--prot', '5000'])).toThrow("Unknown option '--prot'");
  expect(() => sendOptions(['--payment', '5'])).toThrow("Unknown option '--payment'");
});

test('another Node version than that of the functions is refused', () => {
  expect(() => refuseOtherNode('22.18.0')).toThrow(
    'This is Node 22.18.0. Start it with npm start or npm run local',
  );
  expect(() => refuseOtherNode('24.21.0')).not.toThrow();
});

test('by default ten payments a second are sent, with three events each', () => {
  expect(sendOptions([])).toEqual({
    payments: 10,
    rate: 10,
    'events-per-payment': { min: 3, max: 3 },
    service: 'demo',
    stage: 'local',
    yes: false,
    json: false,
  });
});

test('events per payment may be a range', () => {
  expect(sendOptions(['--events-per-payment', '2-4'])).toMatchObject({
    'events-per-payment': { min: 2, max: 4 },
  });
});

test('each invalid option is named', () => {
  const args = [
    '--payments',
    '1.5',
    '--rate',
    '0',
    '--events-per-payment',
    '4-2',
    '--service',
    'a b',
    '--stage',
    'x',
  ];
  expect(() => sendOptions(args)).toThrow(
    [
      '--payments: must be a whole number from 1 to 100000',
      '--rate: must be a number from 0.1 to 1000',
      '--events-per-payment: must lie within 1 to 20, the lesser first',
      '--service: must be 1 to 64 of A-Z a-z 0-9 _ -',
      '--stage: must be one of local, dev, prod',
    ].join('\n'),
  );
});
