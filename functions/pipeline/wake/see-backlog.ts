import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import { mixed, placesOfSample, SAMPLE_DEPTH, SAMPLE_PAGE } from '../../core/circuit/sample.ts';
import { lookAhead, type SeenOfBacklog, wantsSample } from '../../core/ordering/circuit-timer.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';
import type { WakePorts } from './ports.ts';

/** The head of the backlog while it is sent, and a sample of it where one is wanted. */
export async function seeBacklog(
  health: EndpointHealth,
  { subscription_id }: Subscription,
  ports: WakePorts,
  { circuit: policy }: DeliveryPolicy,
): Promise<SeenOfBacklog> {
  const { circuit } = health;
  const isSent = circuit.state === 'draining' || circuit.state === 'closed';
  const [head, sample] = await Promise.all([
    isSent ? ports.backlog(subscription_id, lookAhead(health, policy)) : [],
    wantsSample(health) ? sampleOf(subscription_id, ports) : [],
  ]);
  return { head, sample };
}

/** Ordering keys from both ends of the backlog and from two places between, in random order. */
async function sampleOf(subscriptionId: string, ports: WakePorts) {
  const [newest, oldest] = await Promise.all([
    ports.newestOfBacklog(subscriptionId, SAMPLE_PAGE),
    ports.backlog(subscriptionId, SAMPLE_DEPTH),
  ]);
  const [first, last] = [oldest[0], newest[0]];
  const isWhole = oldest.length < SAMPLE_DEPTH || first === undefined || last === undefined;
  const draws = [ports.draw(), ports.draw()];
  const between = isWhole
    ? [oldest, oldest]
    : await Promise.all(
        placesOfSample(first.backlogged_at, last.backlogged_at, draws).map((from) =>
          ports.backlog(subscriptionId, SAMPLE_PAGE, from),
        ),
      );
  const pages = [newest, ...between, oldest];
  return mixed(pages, ({ ordering_key }) => ordering_key, ports.draw);
}
