import { accountRoom } from './account-room.ts';
import { alarms } from './alarms.ts';
import { aliases } from './aliases.ts';
import type { Check } from './check.ts';
import { circuits } from './circuits.ts';
import { busSources, secretsKey, tokenAttributes } from './conditions.ts';
import { dataKey } from './data-key.ts';
import { endToEnd } from './end-to-end.ts';
import { faultedKeys } from './faulted-keys.ts';
import { reservedConcurrency, tracing } from './function-settings.ts';
import { heldRecords } from './held-records.ts';
import { instances } from './instances.ts';
import { logRetention } from './log-retention.ts';
import { metricsCheck } from './metrics.ts';
import { permissions } from './permissions.ts';
import { queueEncryption } from './queue-encryption.ts';
import { queuePolicies } from './queue-policies.ts';
import { deadLetters, queues } from './queues.ts';
import { recursion } from './recursion.ts';
import { refusals } from './refusals.ts';
import { ruleInvocations } from './rule-invocations.ts';
import { rules } from './rules.ts';
import { stacks } from './stacks.ts';
import { sweep } from './sweep.ts';
import { pointInTimeRecovery, timeToLive } from './tables.ts';
import { throttle } from './throttle.ts';
import { visibility } from './visibility.ts';
import { workers } from './workers.ts';

/** In the order in which whoever is on call wants to know. */
export const ALL_CHECKS: readonly Check[] = [
  stacks,
  endToEnd,
  refusals,
  alarms,
  queues,
  deadLetters,
  workers,
  instances,
  visibility,
  aliases,
  rules,
  ruleInvocations,
  sweep,
  circuits,
  heldRecords,
  faultedKeys,
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
