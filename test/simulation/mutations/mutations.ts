import type { Mutation } from './mutation.ts';
import { MUTATIONS_OF_ENDPOINTS } from './mutations-of-endpoints.ts';
import { MUTATIONS_OF_SEQUENCES } from './mutations-of-sequences.ts';

const deliver = (file: string, name: string, from: string, to: string) => ({
  name,
  file: `functions/pipeline/deliver/${file}.ts`,
  from,
  to,
});
const core = (file: string, name: string, from: string, to: string) => ({
  name,
  file: `functions/core/${file}.ts`,
  from,
  to,
});
const other = (file: string, name: string, from: string, to: string) => ({ name, file, from, to });

const INTAKE: readonly Mutation[] = [
  other(
    'functions/core/ordering/sending-order.ts',
    'two messages of one ordering key share a send batch',
    'nextBatchOf.set(key, index + 1)',
    'nextBatchOf.set(key, index)',
  ),
  other(
    'functions/core/ordering/sending-order.ts',
    'match continues with an ordering key after a refused message',
    'batch.filter((message) => !refusedKeys.has(orderingKey(message)))',
    'batch',
  ),
  other(
    'functions/pipeline/match/match.ts',
    'match does not return what was refused',
    'again.push(...matched.filter((one) => !isNumbered(one.event) && !isSent(one)).map(({ intake }) => intake));',
    '',
  ),
  other(
    'functions/pipeline/match/going.ts',
    '`sent_before` not set',
    'intake.receiveCount > 1 ? { sent_before: true } : {}',
    '{}',
  ),
  other(
    'functions/pipeline/deliver/ordering-key/find-duplicates.ts',
    'the history is not asked for duplicates',
    '.filter((delivery) => mayBeDuplicate(delivery.message, delivery, nowMs))',
    '.filter(() => false)',
  ),
  core(
    'ordering/may-be-duplicate',
    'a record received before is not checked for duplicates',
    'receiveCount > 1 ||',
    'false ||',
  ),
  core(
    'ordering/may-be-duplicate',
    'old events are not checked for duplicates',
    'nowMs - eventAtMs > REMEMBERED_BY_SQS_MS',
    'false',
  ),
  core(
    'ordering/may-be-duplicate',
    "an event's age counts from its intake, not from its own time",
    'Math.min(message.admitted_at_ms, Date.parse(message.occurred_at))',
    'message.admitted_at_ms',
  ),
  core('ordering/may-be-duplicate', "an event's age has no margin for clocks", '4 * 60_000', '5 * 60_000'),
  core('message/message', 'the ordering key is the subscription alone', 'of.payment_id}`', "''}`"),
  other(
    'test/simulation/people/sending.ts',
    'signals have a derived deduplication id',
    'group: orderingKey(one), deduplicationId: newId()',
    'group: orderingKey(one), deduplicationId: orderingKey(one) + one.wish',
  ),
];

const BLOCKED_KEYS: readonly Mutation[] = [
  deliver(
    'deliver-group',
    'messages behind a failed one are attempted, not queued',
    'session.key === undefined',
    "session.key?.state !== 'internalError'",
  ),
  deliver(
    'deliver-group',
    'messages behind a failed one are taken for done, not queued',
    'firsts.map(({ message }) => queuedMessageOf(message)),\n    outcomes,',
    '[],\n    [],',
  ),
  deliver(
    'ordering-key/resume',
    'an ordering key is deleted with queued messages left',
    'isAll && next === undefined',
    'next === undefined',
  ),
  deliver(
    'ordering-key/resume',
    'a queued message stays after it has ended',
    'removed: [one.queuedMessage.place]',
    'removed: []',
  ),
  deliver(
    'ordering-key/advance',
    'a failure does not count for the schedule',
    "input.kind === 'attempt_failed' ? 1 : 0",
    '0',
  ),
  core(
    'ordering/gate',
    'a signal is obeyed before its time',
    'return !isOperators && Date.parse(key.due_at) <= nowMs + TOLERANCE_MS;',
    'return !isOperators;',
  ),
  core(
    'ordering/gate',
    'a stuck ordering key obeys any signal',
    'return isOperators || isOrphan;',
    'return true;',
  ),
  core('ordering/gate', 'no tolerance for clocks', 'TOLERANCE_MS = 1_000', 'TOLERANCE_MS = 0'),
  deliver(
    'ordering-key/ordering-key-session',
    'no timer is armed',
    'await ports.arm(timerOfKey(this.name, input.dueAtMs, nowMs, policy));',
    '',
  ),
  deliver(
    'ordering-key/advance',
    'no signal is sent when time runs out',
    "const signalOn = signalKind === 'first' ? 'due' : signalKind;",
    'const signalOn = undefined;',
  ),
  core('attempt/decision', '`Retry-After` not honoured', 'Math.max(jittered, retryAfterMs)', 'jittered'),
  core(
    'attempt/decision',
    'exhausted one attempt early',
    'failedAttempts: failedAttempts + 1',
    'failedAttempts: failedAttempts + 2',
  ),
  core('attempt/decision', 'never exhausted by age', 'nowMs - sinceMs >= totalAgeMs', 'false'),
  core(
    'attempt/decision',
    '`expires_at` ignored',
    'expires_at !== undefined && nowMs >= Date.parse(expires_at)',
    'false',
  ),
  core('attempt/decision', '`abort-message` ignored', "askedBy(result) === 'abort-message'", 'false'),
];

const CIRCUITS: readonly Mutation[] = [
  core(
    'circuit/counting',
    'circuit never opened',
    'counted.failed_keys.length >= policy.failedKeys',
    'false',
  ),
  other(
    'functions/core/circuit/counting.ts',
    'circuit never reset by a success',
    'return isMuch || isStale ? {',
    'return false ? {',
  ),
  other(
    'functions/core/circuit/counting.ts',
    'each quick success writes to the subscription',
    'return isMuch || isStale ? {',
    'return true ? {',
  ),
  other(
    'functions/core/circuit/counting.ts',
    'a crowded circuit starts no drain',
    "return { ...drain(circuit, nowMs, policy), cause: 'crowded' };",
    'return circuit;',
  ),
  core(
    'ordering/gate',
    'an open circuit lets all pass',
    "case 'open':\n      return { kind: 'wait', reason: 'circuit_open' };",
    "case 'open':\n      return { kind: 'attempt', isProbe: false };",
  ),
  core(
    'ordering/gate',
    'a half-open circuit lets all pass',
    "if (signalKind === 'probe' && isLeased) {",
    'if (true) {',
  ),
  core(
    'ordering/gate',
    'a drain lets all pass',
    "return signalKind === 'drain' || signalKind === 'probe'\n",
    'return true\n',
  ),
  other(
    'functions/core/circuit/probing.ts',
    'the probe is always the first in the backlog',
    'positions.find(({ position }) => position > probed) ?? positions[0]',
    'positions[0]',
  ),
  core(
    'circuit/probing',
    'a lost probe is waited for for ever',
    'withTimer({ ...circuit, probe_key: key, probe_at: instant(endsAtMs) }, endsAtMs)',
    'withTimer({ ...circuit, probe_key: key, probe_at: instant(endsAtMs + 1e12) }, endsAtMs + 1e12)',
  ),
  core('attempt/decision', 'a probe uses up the schedule', 'if (isProbe) {', 'if (false) {'),
  other(
    'functions/core/circuit/states.ts',
    'the cool-down does not grow',
    'Math.round(policy.coolDownGrowth * coolDownMs)',
    'coolDownMs',
  ),
  other(
    'functions/core/circuit/draining.ts',
    'a drain does not look at its backlog a last time',
    'if (closedForMs < policy.tailMs) {',
    'if (false) {',
  ),
  other(
    'functions/core/circuit/draining.ts',
    'a drain ends with ordering keys in its backlog',
    'isQuiet(circuit, backlog, context)',
    'true',
  ),
  other(
    'functions/core/circuit/circuit-timer.ts',
    'a drain signals what was signalled lately',
    '.filter((key) => !isInHand(key, nowMs))',
    '.filter(() => true)',
  ),
  core(
    'ordering/blocked-ordering-key',
    'what is over age stays in the backlog',
    'return overAgeAtMs > nowMs ? overAgeAtMs : nowMs + graceMs;',
    'return Number.POSITIVE_INFINITY;',
  ),
  other(
    'functions/pipeline/wake/circuit-timer.ts',
    'a circuit timer ignores its generation',
    'circuit?.tick_at === undefined || circuit.tick !== timer.tick',
    'circuit?.tick_at === undefined',
  ),
  other(
    'functions/pipeline/wake/circuit-timer.ts',
    'a circuit timer arms no other',
    'await armNext(timer, before, after, ports, policy);',
    '',
  ),
  other(
    'functions/pipeline/wake/wake.ts',
    'a signal that was not taken is forgotten',
    'return [...answers.flat(), ...failed.keys()].flatMap',
    'return [].flatMap',
  ),
  other(
    'functions/pipeline/sweep/sweep.ts',
    'sweep arms no ordering key',
    'return timerOfKey(overdue.key, Math.max(Date.parse(overdue.key.due_at), nowMs), nowMs, policy);',
    'return [];',
  ),
  other(
    'functions/pipeline/sweep/sweep.ts',
    'sweep arms no circuit',
    'return timerOfPending(overdue.subscription, nowMs);',
    'return [];',
  ),
  other(
    'functions/pipeline/sweep/sweep.ts',
    'sweep moves no check on',
    'ports.moveCheck(overdue, instant(nextCheckMs(overdue, nowMs, policy)))',
    'true',
  ),
  core(
    'circuit/endpoint-health',
    '410 does not disable',
    "disabled: 'disabled', deleted: 'deleted' },\n  paused",
    "deleted: 'deleted' },\n  paused",
  ),
  core(
    'circuit/endpoint-health',
    'failures of days do not disable',
    'nowMs - Date.parse(failingSince) >= policy.disableAfterMs',
    'false',
  ),
  core('circuit/endpoint-health', 'enabling starts no drain', "active: 'resumed'", "active: 'halted'"),
];

const RECORDS: readonly Mutation[] = [
  other(
    'functions/pipeline/deliver/outbox.ts',
    'acknowledged before saved',
    'const { untaken, refused, internalErrors } = await this.#ports.save(all);',
    'if (all.length > 0) await this.#ports.acknowledge(entries.map(({ record }) => record));\n    const { untaken, refused, internalErrors } = await this.#ports.save(all);',
  ),
  other(
    'functions/pipeline/deliver/outbox.ts',
    'a failed save is forgotten',
    'this.#entries.unshift(...entries);\n      throw error;',
    'throw error;',
  ),
  deliver(
    'ordering-key/write-until',
    'writing given up at the first failure',
    'ports.now() + WRITING_SLEEP_MS >= endsAtMs',
    'true',
  ),
  deliver(
    'ordering-key/write-until',
    'writing never given up',
    'ports.now() + WRITING_SLEEP_MS >= endsAtMs',
    'false',
  ),
  deliver('deliver', 'early release omitted', 'if (!outbox.isEmpty) {', 'if (false) {'),
  deliver(
    'deliver',
    'records that are not done are not returned',
    'records.filter((record) => !outbox.isDone(record))',
    'records.filter(() => false)',
  ),
  deliver(
    'deliver',
    'no limit to the time a batch works',
    'ATTEMPTING_TIME_MS = 50_000',
    'ATTEMPTING_TIME_MS = 500_000',
  ),
  deliver(
    'endpoint/attempt-once',
    'a later attempt has no item',
    'attempt.attempt === 1 ? {} : { laterAttempt: attempt }',
    '{}',
  ),
  deliver(
    'endpoint/attempt-once',
    'each attempt counted as the first',
    "('attempt_count' in record ? record.attempt_count : 0) + 1",
    '1',
  ),
  deliver('ordering-key/head', 'a missing first attempt not marked', 'receiveCount > 1', 'false'),
  deliver(
    'ordering-key/resume',
    'a missing later attempt not marked',
    'const isInDoubt = isFirst && receiveCount > 1;',
    'const isInDoubt = false;',
  ),
];

const LIMITS: readonly Mutation[] = [
  deliver(
    'ordering-key/resume',
    'a rate limit is ignored within a turn',
    "step.by !== 'decision' && isLimited",
    'false',
  ),
  core(
    'ordering/gate',
    'a rate limit lets pass what comes',
    "health.rate_limit === undefined || signalKind === 'drain'",
    'true',
  ),
  other(
    'functions/core/circuit/circuit-timer.ts',
    'a circuit timer signals more than the rate limit',
    'Math.min(window, rate_limit ?? window)',
    'window',
  ),
  deliver(
    'ordering-key/advance',
    'an ordering key joins a backlog and starts no circuit timer',
    "{ report: { subscription: subscription as Subscription, inputs: [{ kind: 'joined' }] } }",
    '{}',
  ),
  other(
    'test/simulation/plans/prepare.ts',
    'the circuit timers of a rate limit begin with its first message',
    'return { rate_limit, circuit: { ...withTimer(CLOSED, nowMs), revision: 1 } };',
    'return { rate_limit, nowMs };',
  ),
  other(
    'functions/core/circuit/draining.ts',
    'the circuit timers of a rate limit end',
    'if (isLimited || !isEmpty) {',
    'if (!isEmpty) {',
  ),
];

const LATE: readonly Mutation[] = [
  core(
    'ordering/blocked-ordering-key',
    'a late message is sorted by its order number',
    "late ? '~' : ''",
    "''",
  ),
  core('attempt/outcome', 'late is not marked on the record', '{ ...record, late: true }', 'record'),
  deliver(
    'endpoint/attempt-once',
    'late is not marked on the attempt',
    '...(record.late ? { late: true } : {}),',
    '',
  ),
  deliver('ordering-key/resend', 'a queued message is queued a second time', ' && isFinal(record)', ''),
  deliver(
    'ordering-key/resend',
    'the age of a late message counts from its intake',
    'since: instant(nowMs)',
    'since: record.admitted_at',
  ),
  deliver(
    'ordering-key/resend',
    'a late message keeps its used-up schedule',
    'failed_attempts: 0',
    'failed_attempts: 99',
  ),
];

const RECOVERY: readonly Mutation[] = [
  other(
    'functions/pipeline/wake/recover.ts',
    'a step of a recovery is written before its signals are sent',
    'const unsent = await sendInOrder(',
    'await ports.recoveries.advance(before, after);\n  const unsent = await sendInOrder(',
  ),
  other(
    'functions/pipeline/wake/recover.ts',
    'a recovery passes over signals that were not taken',
    'if (unsent.size > 0) {',
    'if (false) {',
  ),
  core(
    'message/recovery',
    'what has expired is recovered',
    "(state_reason === 'skipped' || state_reason === 'disabled')",
    "state_reason !== 'deleted'",
  ),
  core(
    'message/recovery',
    'what was delivered is recovered',
    "state === 'exhausted' ||",
    "state !== 'cancelled' ||",
  ),
  core(
    'message/recovery',
    'a payment is recovered from its end',
    'recoverable.sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))',
    'recoverable.reverse()',
  ),
  core('message/recovery', 'a recovery ends with its first page', 'continueAt === undefined', 'true'),
  other(
    'functions/pipeline/sweep/sweep.ts',
    'sweep arms no recovery',
    'return [{ timer: recoveryTimer(overdue.recovery), dueAtMs: nowMs }];',
    'return [];',
  ),
];

const redriven = (file: string, name: string, from: string, to: string) =>
  ({ name, file: `cli/operator/${file}.ts`, from, to, world: 'redriven' }) as const;

const REDRIVE: readonly Mutation[] = [
  redriven(
    'redrive/plan',
    'a payment is put back from its end',
    'ofKey.toSorted(byPosition)',
    'ofKey.toReversed()',
  ),
  redriven(
    'redrive/put-back',
    'a redrive continues with an ordering key after a refused dead letter',
    'batch.filter(({ key }) => !heldBack.has(key))',
    'batch',
  ),
  redriven(
    'redrive/read-dead-letter',
    'a message is put back without `sent_before`',
    ', sent_before: true }',
    ' }',
  ),
  redriven(
    'redrive/redrive',
    'what SQS hides is not taken apart',
    'if (!(await reading.takeApart())) {',
    'if (true) {',
  ),
];

export const MUTATIONS: readonly Mutation[] = [
  ...INTAKE,
  ...MUTATIONS_OF_SEQUENCES,
  ...BLOCKED_KEYS,
  ...CIRCUITS,
  ...RECORDS,
  ...LIMITS,
  ...LATE,
  ...RECOVERY,
  ...REDRIVE,
  ...MUTATIONS_OF_ENDPOINTS,
];
