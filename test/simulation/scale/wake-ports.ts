import { historyTable, orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { WakePorts } from '../../../functions/pipeline/wake/ports.ts';
import { keyOf, moveCheck } from './paused-keys.ts';
import type { Shore } from './shore.ts';
import { sendSignals, sendTimers } from './shore.ts';
import { replaceEndpointHealth } from './standings.ts';

export function wakePorts(shore: Shore): WakePorts {
  const { calls, observations } = shore;
  const { clock, tables } = calls;
  return {
    subscription: (name) => calls.table('GetItem', () => tables.subscription(name)),
    backlog: (subscriptionId, max, from = '') =>
      calls.table('Query', () =>
        tables.keys
          .index(orderingKeysTable.line)
          .query(subscriptionId, max, { from })
          .map(keyOf)
          .filter((key) => key?.state === 'in_line'),
      ),
    waiting: (subscriptionId, max) =>
      calls.table(
        'Query',
        () => tables.history.index(historyTable.waiting).query(subscriptionId, max).length,
      ),
    async drains() {
      await calls.small('UpdateItem', 1, () => shore.rollCall.sayDrain());
      return calls.small('GetItem', 2, () => shore.rollCall.drains());
    },
    answers: (subscriptionId) => calls.small('GetItem', 2, () => shore.rollCall.answers(subscriptionId)),
    slowAttempts: (subscriptionId) =>
      calls.small('GetItem', 4, () => shore.rollCall.slowAttempts(subscriptionId)),
    recoveries: {
      find: (name) => calls.small('GetItem', 1, () => shore.recoveries.find(name)),
      advance: (before, after) => calls.small('UpdateItem', 1, () => shore.recoveries.advance(before, after)),
    },
    async recovering(serviceId) {
      const said = await calls.small('UpdateItem', 1, () => shore.rollCall.recovering(serviceId));
      await calls.small('GetItem', 2, () => undefined);
      return said;
    },
    pastMessages: (recovery) => calls.table('Query', () => shore.pastMessages.page(recovery)),
    replaceEndpointHealth: (subscription, before, after) =>
      calls.table(
        'UpdateItem',
        () => replaceEndpointHealth(tables, subscription, before, after) === 'written',
      ),
    moveCheck: ({ ordering_key, check_at }, checkAt) =>
      calls.table('UpdateItem', () => moveCheck(tables, ordering_key, check_at, checkAt)),
    async signal(signals) {
      await sendSignals(signals, shore);
      return [];
    },
    arm: (armings) => sendTimers(armings, shore),
    observer: {
      timerFired: () => {},
      recovered: () => {},
      stale: () => {},
      internalError: (error) => observations.fault(error),
    },
    now: () => Math.round(clock.now()),
    after: (ms) => clock.after(ms),
  };
}
