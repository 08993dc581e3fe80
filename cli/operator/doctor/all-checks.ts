import type { Check } from './check.ts';
import { endToEnd } from './end-to-end.ts';
import { accountRoom } from './functions/account-room.ts';
import { aliases } from './functions/aliases.ts';
import { logRetention, recursion, reservedConcurrency, tracing } from './functions/function-settings.ts';
import { throttle } from './functions/throttle.ts';
import { workers } from './functions/workers.ts';
import { busSources, secretsKey, tokenAttributes } from './permissions/conditions.ts';
import { dataKey } from './permissions/data-key.ts';
import { permissions } from './permissions/permissions.ts';
import { refusals } from './permissions/refusals.ts';
import { circuits } from './queues/circuits.ts';
import { deferredRecords } from './queues/deferred-records.ts';
import { queueEncryption, queuePolicies, visibility } from './queues/queue-settings.ts';
import { deadLetters, queues } from './queues/queues.ts';
import { stuckPayments, sweep } from './queues/sweep.ts';
import { alarmListeners, alarms } from './stacks/alarms.ts';
import { metricsCheck } from './stacks/metrics.ts';
import { ruleInvocations, rules } from './stacks/rules.ts';
import { stacks } from './stacks/stacks.ts';
import { pointInTimeRecovery, timeToLive } from './stacks/tables.ts';

/** In the order of interest to the person on call. */
export const ALL_CHECKS: readonly Check[] = [
  stacks,
  endToEnd,
  refusals,
  alarms,
  alarmListeners,
  queues,
  deadLetters,
  workers,
  visibility,
  aliases,
  rules,
  ruleInvocations,
  sweep,
  circuits,
  deferredRecords,
  stuckPayments,
  permissions,
  secretsKey,
  busSources,
  tokenAttributes,
  queuePolicies,
  dataKey,
  queueEncryption,
  recursion,
  reservedConcurrency,
  accountRoom,
  throttle,
  timeToLive,
  pointInTimeRecovery,
  logRetention,
  tracing,
  metricsCheck,
];

export const CHECK_NAMES = ALL_CHECKS.map(({ name }) => name);
