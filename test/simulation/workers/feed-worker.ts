import type { FeedPorts } from '../../../functions/api/feed/feed-ports.ts';
import { sendSignals } from '../people/sending.ts';
import type { Surface } from '../surface.ts';
import { Invocation, type Surroundings } from './invocation.ts';
import { lookedUp } from './table-ports.ts';

/** The function's time limit. */
const TIMEOUT_MS = 20_000;

/**
 * One request to the feed. It may die, and its answer may be lost: then nobody hears of it.
 *
 * @param act what the function does
 */
export async function askFeed<Answer>(
  around: Surroundings,
  surface: Surface,
  act: (ports: FeedPorts, invocation: Invocation) => Promise<Answer>,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const invocation = new Invocation('feed', around, () => resolve(undefined));
    invocation.endsAt(around.clock.at(around.clock.now() + TIMEOUT_MS, () => invocation.kill('timed_out')));
    act(feedPorts(invocation, surface), invocation).then(
      (answer) => {
        invocation.end('ended');
        resolve(answer);
      },
      (error) => {
        invocation.error = error;
        invocation.end('failed');
        resolve(undefined);
      },
    );
  });
}

function feedPorts(invocation: Invocation, surface: Surface): FeedPorts {
  const { keys, deliveries, policy } = surface;
  return {
    lookUp: (wanted) => lookedUp(wanted, invocation, surface),
    backlog: (id, max) => invocation.callTable('backlog', () => keys.backlog(id, max), id),
    waitingIn: (key) => invocation.callTable('waitingIn', () => keys.waitingIn(key), key),
    hold: (key, until) => invocation.callTable('hold', () => keys.hold(key, until), key.ordering_key),
    lease: (queued, lease) =>
      invocation.callTable('lease', () => keys.lease(queued, lease), queued.ordering_key),
    endLease: (lease, result) =>
      invocation.callTable('endLease', () => keys.endLease(lease, result), lease.ordering_key),
    signal: (signals) =>
      invocation
        .call('signal', () => sendSignals(signals, deliveries, invocation), { rejects: true })
        .catch(() => undefined),
    extend: async () => {},
    policy,
    now: invocation.workersTime,
    newId: invocation.newId,
  };
}
