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
});

test('another Node version than that of the functions is refused', () => {
  expect(() => refuseOtherNode('22.18.0')).toThrow(
    'This is Node 22.18.0. Start it with npm start or npm run local',
  );
  expect(() => refuseOtherNode('24.21.0')).not.toThrow();
});
