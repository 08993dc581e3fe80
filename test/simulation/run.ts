import { runCommands } from '../../cli/terminal/run-commands.ts';
import { SIMULATE } from './run-command.ts';

// `npm run simulate -- mutate ...` reads the arguments behind its name when it is imported.
if (process.argv[2] === 'mutate') {
  process.argv.splice(2, 1);
  await import('./mutations/mutate.ts');
} else {
  await runCommands(SIMULATE, () => ({}));
}
