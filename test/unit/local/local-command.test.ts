import { readCommand } from '../../../cli/terminal/run-commands.ts';
import { LOCAL, refuseOtherNode } from '../../../local/local-command.ts';

const read = (...args: string[]) => readCommand(LOCAL, args);

test('by default the local stack listens on 4566, and no option is on', () => {
  const off = { demo: false, 'slow-store': false, archive: false, 'separate-processes': false };
  expect(read()).toMatchObject({ kind: 'wanted', given: { port: 4566, workers: undefined, ...off } });
});

test('its help is that of a script without commands, and has no --json', () => {
  const help = read('--help');
  expect(help).toMatchObject({ kind: 'told', isAsked: true });
  const { text } = help as { text: string };
  expect(text).toContain('\nUsage: npm run local -- [options]\n');
  expect(text).toContain('Example: npm run local -- --port 4600\n');
  expect(text).not.toContain('--json');
  expect(() => read('--json')).toThrow("unknown option '--json'");
});

test.each(['80', '65536', '4566.5', 'x', ''])('the port %p is refused', (port) => {
  expect(() => read('--port', port)).toThrow('Must be a whole number from 1024 to 65535');
});

test('fewer workers than SQS takes are refused', () => {
  expect(() => read('--workers', '1')).toThrow('Must be a whole number from 2 to 1000');
});

test('what the local stack does not know is refused, with where to read on', () => {
  expect(() => read('--prot', '5000')).toThrow("unknown option '--prot'\n(Did you mean --port?)");
  expect(() => read('4600')).toThrow('too many arguments. Expected 0 arguments but got 1.');
  expect(() => read('4600')).toThrow('All about it: npm run local -- --help');
});

test('another Node version than that of the functions is refused', () => {
  expect(() => refuseOtherNode('22.18.0')).toThrow(
    'This is Node 22.18.0, and functions run on Node 24. npm and npx use it where it is installed',
  );
  expect(() => refuseOtherNode('24.21.0')).not.toThrow();
});
