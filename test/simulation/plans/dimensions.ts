import type { MessageRecord } from '../../../functions/core/message/history.ts';
import type { Recovery } from '../../../functions/core/message/recovery.ts';
import { FOR_EVER_MS } from '../people/behaviour.ts';
import { takenBy } from '../promises/outside/narrowed.ts';
import type { World } from '../world.ts';

const SECONDS_MS = 1_000;
const MINUTES_MS = 60_000;
const MANY_PAYMENTS = 100;
const MANY_WAITING = 500;

/** Which dimensions a world has explored, and how often: one that stays at zero is not tested. */
export function dimensionsOf(world: World): [string, number][] {
  const { plan, pinged, hurried, receivers, tables, history, environments, recoveries } = world;
  const troubles = plan.subscriptions.flatMap(({ receiver, changes }) => [
    ...receiver.troubles,
    ...changes.flatMap((change) => (change.kind === 'url' ? change.receiver.troubles : [])),
  ]);
  const { publications, subscriptions, requests } = plan;
  const recovered = (is: (recovery: Recovery) => boolean) =>
    recoveries.writes
      .filter(({ recovery }) => recovery.ended_at !== undefined && is(recovery))
      .reduce((sum, { recovery }) => sum + recovery.resent_count, 0);
  const countOf = (is: (record: MessageRecord) => boolean) => [...history.records.values()].filter(is).length;
  return [
    ...troubles.map(({ kind }): [string, number] => [`endpoint ${kind}`, 1]),
    ['endpoint in part', troubles.filter((one) => 'share' in one && one.share < 1).length],
    ['endpoint in turns', troubles.filter(({ turnMs }) => turnMs !== undefined).length],
    ['endpoint never heals', troubles.filter(({ untilMs }) => untilMs >= FOR_EVER_MS).length],
    ['endpoint mixes', subscriptions.filter(({ receiver }) => receiver.troubles.length > 1).length],
    [
      'endpoint is steadily slow',
      subscriptions.filter(({ receiver }) => receiver.latencyMs[1] > SECONDS_MS).length,
    ],
    ...tables.subscriptions.revisions.map((): [string, number] => ['partner changed a subscription', 1]),
    ...subscriptions.flatMap(({ changes, narrowings = [] }) =>
      [...changes, ...narrowings].map(({ kind }): [string, number] => [`partner: ${kind}`, 1]),
    ),
    ...subscriptions.map(({ taste = 'everything' }): [string, number] => [`partner wants: ${taste}`, 1]),
    ['events that a filter leaves out', leftOut(world)],
    ['messages with some fields', countOf(({ fields }) => fields !== undefined)],
    ['delivered messages recovered', recovered(({ states }) => states?.join() === 'succeeded')],
    ['messages recovered by a filter', recovered(({ filter }) => filter !== undefined)],
    ['messages recovered by payments', recovered(({ payment_ids }) => payment_ids !== undefined)],
    ['recoveries stopped', recoveries.stopped.size],
    ['partner resent', requests.resends.length],
    ['retries asked for', hurried.length],
    ['pings', pinged.length],
    ['pings attempted', receivers.pings.length],
    ['challenges', receivers.pings.filter(({ key }) => key.includes('.challenge-')).length],
    ['challenges repeated', receivers.pings.filter(({ echoed }) => echoed).length],
    ['challenges superseded', countOf(({ state_reason }) => state_reason === 'superseded')],
    ['events numbered', publications.filter(({ sequence }) => sequence !== undefined).length],
    ['messages that waited for their turn', countOf(({ arrived_at }) => arrived_at !== undefined)],
    ['messages behind a gap', countOf(({ gap_before }) => gap_before === true)],
    ['messages of late events', countOf(({ came_late }) => came_late === true)],
    ['events straight into the queue', publications.filter(({ direct }) => direct).length],
    ['events delayed', publications.filter(({ delayMs }) => delayMs > 0).length],
    ['events repeated', publications.flatMap(({ repeats }) => repeats).length],
    ['world with index lagging for minutes', plan.lagMs > MINUTES_MS ? 1 : 0],
    ['world with clocks apart by seconds', plan.clocksDifferMs > SECONDS_MS ? 1 : 0],
    ['world with blocks of payments', plan.inputs === undefined ? 0 : 1],
    ['world whose workers freeze in an outage', plan.inputs?.freeze === undefined ? 0 : 1],
    ['world of weeks', plan.quiet === undefined ? 0 : 1],
    ['disabled after days', disabledAfterDays(tables)],
    ['world with workers that hear late', plan.lateHearingMs === undefined ? 0 : 1],
    ['world with few workers', plan.workers.deliver < 10 ? 1 : 0],
    ['world with provisioned pollers', plan.pollers === undefined ? 0 : 1],
    ['world with event types of its own', plan.catalogue === undefined ? 0 : 1],
    ['messages that do not fit their schema', countOf(({ schema_error }) => schema_error !== undefined)],
    ['world that refuses what does not fit', plan.validation?.mode === 'refuse' ? 1 : 0],
    ['world with several services', plan.services === undefined ? 0 : 1],
    ['world with shared payment ids', plan.services?.shareIds ? 1 : 0],
    ['world without faults', plan.faults.untilMs === 0 ? 1 : 0],
    ['world with more than 100 payments', (plan.crowd?.payments ?? 0) > MANY_PAYMENTS ? 1 : 0],
    ['world with more than 500 waiting', tables.keys.maxQueuedMessages > MANY_WAITING ? 1 : 0],
    ['world with invocations side by side', (plan.sideBySide ?? 1) > 1 ? 1 : 0],
    ['environment shared at a time', environments.filter(({ maxInside }) => maxInside > 1).length],
    ['environment died with several', environments.filter(({ diedWith = 0 }) => diedWith > 1).length],
    ['messages on record', history.records.size],
  ];
}

function disabledAfterDays({ subscriptions }: World['tables']): number {
  return subscriptions.writes.filter(
    ({ before, after }) => before.state === 'active' && after.disabled_reason === 'failing',
  ).length;
}

function leftOut(world: World): number {
  return world.plan.subscriptions.flatMap((own) =>
    world.admitted.filter((event) => takenBy(own, event, world) === 'never'),
  ).length;
}
