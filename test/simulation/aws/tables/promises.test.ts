import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { tablePromises } from '../../../support/promises/all-tables.ts';
import { HistoryTable } from './history-table.ts';
import { OrderingKeysTable } from './ordering-keys-table.ts';
import { RecoveryTable } from './recovery-table.ts';
import { RollCall } from './roll-call.ts';
import { SequenceTable } from './sequence-table.ts';
import { SubscriptionTable } from './subscription-table.ts';

/** The tables of the simulation, with what each adapter reads at a time and without lag. */
tablePromises(() => {
  const times = { now: () => TEN_O_CLOCK_MS, lagMs: () => 0, graceMs: 0 };
  const history = new HistoryTable({ ...times, pageSize: 1_000 });
  const keys = new OrderingKeysTable({ ...times, history, pageSize: 25 });
  const sequences = new SequenceTable(times);
  const recoveries = new RecoveryTable(times);
  const counts = new RollCall(times);
  let subscriptions = new SubscriptionTable([], times);

  const checked = () => ({ keys, subscriptions, recoveries, sequences });

  return {
    commit: async (commit) => keys.commit(commit),
    key: async (orderingKey) => keys.find([orderingKey]).get(orderingKey),
    positions: async (orderingKey) =>
      keys.waitingIn(orderingKey).waiting.map(({ queuedMessage }) => queuedMessage.position),
    moveCheck: async (orderingKey, from, to) => keys.moveCheck(orderingKey, from, to),
    keep: async (record) => history.load(record),
    record: async (messageId) => history.recordsOf([messageId]).get(messageId),
    hold: async (key, until) => keys.hold(key, until),
    lease: async (queued, lease) => keys.lease(queued, lease),
    endLease: async (lease, result) => keys.endLease(lease, result),
    waitingIn: async (orderingKey) => keys.waitingIn(orderingKey),
    backlog: async (subscriptionId, max, from) => keys.backlog(subscriptionId, max, from),
    waiting: async (subscriptionId, max) => history.waiting(subscriptionId, max),
    overdue: async (until) => Object.values(checked()).flatMap((table) => table.overdue(until)),
    moveOverdue: async (overdue, to) =>
      checked()[overdue.place.table as keyof ReturnType<typeof checked>].moveOverdue(overdue, to),
    pastMessages: async (of) => history.pastMessages(of),
    contents: async (messages) => history.contents(messages),
    keepResource: async (event, resource) => history.keepResource(event, resource),
    sequences,
    recoveries: {
      start: async (recovery) => recoveries.start(recovery),
      find: async (of) => recoveries.find(of),
      advance: async (before, after) => recoveries.advance(before, after),
    },
    async circuits(subscription) {
      subscriptions = new SubscriptionTable([{ subscription }], times);
      const id = subscription.subscription_id;
      return {
        health: async () => {
          const there = subscriptions.one(id);
          return there && endpointHealthOf(there);
        },
        replace: async (before, after) =>
          subscriptions.replaceEndpointHealth('a worker', id, before, after) === 'written',
      };
    },
    counts: {
      async drains() {
        counts.sayDrain();
        return counts.drains();
      },
      recovering: async (serviceId) => counts.recovering(serviceId),
      saySlow: async (own) => counts.saySlow(own),
      slowAttempts: async (subscriptionId) => counts.slowAttempts(subscriptionId),
      countAnswers: async (subscriptionId, more) => counts.countAnswers(subscriptionId, more),
      answers: async (subscriptionId) => counts.answers(subscriptionId),
    },
  };
});
