import { runCommands } from '../../cli/terminal/run-commands.ts';
import { SIMULATE } from './run-command.ts';

/** Commands besides the worlds; each reads the arguments behind its name when it is imported. */
const TOOLS = new Map([
  ['scale', './scale/run.ts'],
  ['mutate', './mutations/mutate.ts'],
]);

const tool = TOOLS.get(process.argv[2] ?? '');
if (tool === undefined) {
  await runCommands(SIMULATE, () => ({}));
} else {
  process.argv.splice(2, 1);
  await import(tool);
}
