import { type CommandSet, commandsIn } from '../cli/terminal/command.ts';
import { PROFILE_ARGUMENTS, PROFILE_OPTIONS } from './profile/profile-options.ts';

interface ToolWorld {
  /** Aborted by Ctrl-C, once somebody has asked for it. */
  interrupted(): AbortSignal;
}

const tool = commandsIn<ToolWorld>();

// Each tool imports its work only when it runs: profiling alone needs the bundler.

const profile = tool({
  name: 'profile',
  summary: 'Profiles what our code does for a delivery. Needs the local stack (npm run local)',
  arguments: PROFILE_ARGUMENTS,
  options: PROFILE_OPTIONS,
  example: 'cost',
  remarks: `What to profile:
  cost      calls, units and list price: full batches, each record alone, parked
  deliver   CPU of match and deliver in batches of a size, and a CPU profile of deliver

The deployed bundles run in their own processes on this machine. DynamoDB is the local stack's; queues, bus and
partner are stand-ins in another process, so that batches have the requested size and only our code is measured.`,
  isTextOnly: true,
  async run(given, { interrupted }) {
    await (await import('./profile/profile.ts')).profile(given, interrupted());
    return true;
  },
});

/** What `npm run load` does besides running scenarios. */
export const LOAD_TOOLS: CommandSet<ToolWorld> = {
  script: 'npm run load --',
  summary: 'Tools around load runs.',
  commands: [profile],
};
