import { runCommand } from '../cli/terminal/explanation.ts';

type Command = (args: string[]) => Promise<void>;

/** Loaded one at a time: profiling alone needs the bundler, and only a run needs Artillery. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  compare: async () => (await import('./report/compare.ts')).compare,
  profile: async () => (await import('./profile/profile.ts')).profile,
  report: async () => (await import('./report/rewrite.ts')).rewriteReports,
};

/** `npm run load -- <compare | profile | report | scenario> ...` */
await runCommand(async (args) => {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return (await command())(rest);
  return (await import('./lab/run-load.ts')).runLoad(args);
});
