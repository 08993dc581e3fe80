import { type CommandSet, commandsIn } from '../cli/terminal/command.ts';
import { numberOption, wholeNumberOption } from '../cli/terminal/option-kinds.ts';
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
  schemas   CPU of checking a resource by its schema; needs no local stack

The deployed bundles run in their own processes on this machine. DynamoDB is the local stack's; queues, bus and
partner are stand-ins in another process, so that batches have the requested size and only our code is measured.`,
  isTextOnly: true,
  async run(given, { interrupted }) {
    await (await import('./profile/profile.ts')).profile(given, interrupted());
    return true;
  },
});

const connections = tool({
  name: 'connections',
  summary: 'Counts the TLS handshakes of deliveries to partners on this machine, and what one costs',
  options: {
    partners: wholeNumberOption('partners, all alike', 1, 1_000, { default: '100' }),
    environments: wholeNumberOption('environments of deliver, each with connections of its own', 1, 100, {
      default: '5',
    }),
    rate: numberOption('deliveries a second, at random instants', 0.1, 200, { default: '20' }),
    seconds: wholeNumberOption('how long, of which the first half is not counted', 2, 600, {
      default: '120',
    }),
    'idle-seconds': wholeNumberOption('after which a partner closes an idle connection', 1, 600, {
      default: '60',
    }),
    said: { help: 'its answers say so, in a keep-alive header' },
  },
  example: '--said',
  remarks: 'It needs no local stack: only the part of deliver that posts runs.',
  async run({ 'idle-seconds': idleSeconds, said: isSaid = false, ...options }, { print }) {
    const { measureConnections, measureHandshake } = await import('./connections/measure-connections.ts');
    const handshake = await measureHandshake();
    const found = await measureConnections({ ...options, idleSeconds, isSaid });
    const { deliveries, failed, handshakes, resumed } = found;
    const of1000 = (count: number) => Math.round((1_000 * count) / deliveries);
    print(
      `Of ${deliveries} deliveries, ${failed} failed. A thousand took ${of1000(handshakes)} handshakes, ${of1000(resumed)} of them resumed a session.
A resumed handshake: ${handshake.cpuMs.toFixed(1)} ms of CPU, ${Math.round(handshake.bytesOut)} bytes out, ${Math.round(handshake.bytesIn)} in, without headers of IP and TCP.`,
      { ...found, handshake },
    );
    return true;
  },
});

/** What `npm run load` does besides running scenarios. */
export const LOAD_TOOLS: CommandSet<ToolWorld> = {
  script: 'npm run load --',
  summary: 'Tools around load runs.',
  commands: [connections, profile],
};
