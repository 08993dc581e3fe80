import { inFolder, type Mutation } from './mutation.ts';
import { OF_CORE } from './of-core.ts';

const OF_FUNCTIONS: readonly Mutation[] = inFolder('functions', {
  'pipeline/deliver/deliver-group': [
    [
      'messages behind a failed one are attempted, not queued',
      'session.key === undefined',
      "session.key?.state !== 'internalError'",
    ],
    [
      'messages behind a failed one are taken for done, not queued',
      'firsts.map(({ message }) => queuedMessageOf(message)),\n    outcomes,',
      '[],\n    [],',
    ],
    [
      'a throttled ordering key is taken for one that is not blocked',
      'if (untaken !== undefined) {',
      'if (false) {',
    ],
  ],
  'pipeline/deliver/deliver': [
    ['early release omitted', 'if (!writes.isEmpty) {', 'if (false) {'],
    [
      'records that are not done are not returned',
      'records.filter((record) => !writes.isWritten(record))',
      'records.filter(() => false)',
    ],
    ['no limit to the time a batch works', 'ATTEMPTING_TIME_MS = 50_000', 'ATTEMPTING_TIME_MS = 500_000'],
    [
      "one group's internal error brings back its batch",
      'ports.observer.internalError(error, group);',
      'ports.observer.internalError(error, group);\n        throw error;',
    ],
  ],
  'pipeline/deliver/endpoint/attempt-once': [
    ['a later attempt has no item', 'attempt.attempt === 1 ? {} : { laterAttempt: attempt }', '{}'],
    ['each attempt counted as the first', "('attempt_count' in record ? record.attempt_count : 0) + 1", '1'],
    ['late is not marked on the attempt', '...(record.late ? { late: true } : {}),', ''],
    [
      'what fails again is news',
      'const isNews = queuedMessage.failed_attempts === 0 && !record.late;',
      'const isNews = true;',
    ],
    ['each attempt has ten seconds', 'deadlineMs: subscription.timeout_ms,', 'deadlineMs: 10_000,'],
    ['a proof is not told', 'if (result.failure_class === undefined) {', 'if (false) {'],
    ['a ping is tried again', 'schedule: isPing ? [] :', 'schedule: false ? [] :'],
  ],
  'pipeline/deliver/ordering-key/advance': [
    [
      'what has failed joins a backlog behind the newest payments',
      'isOpen ? Math.min(Date.parse(head.queuedMessage.since), batch.ports.now()) : undefined',
      'undefined',
    ],
    ['a failure does not count for the schedule', "input.kind === 'attempt_failed' ? 1 : 0", '0'],
    [
      'no signal is sent when time runs out',
      "const signalOn = signalKind === 'first' ? 'resume' : signalKind;",
      'const signalOn = undefined;',
    ],
    [
      'an ordering key joins a backlog and starts no circuit timer',
      "{ report: { subscription: subscription as Subscription, inputs: [{ kind: 'joined' }] } }",
      '{}',
    ],
  ],
  'pipeline/deliver/look-up': [
    [
      'secrets are never read again',
      'known?.goodUntilMs === undefined || batch.ports.now() < known.goodUntilMs',
      'true',
    ],
    [
      'the history is not asked for duplicates',
      '.filter((delivery) => mayBeDuplicate(delivery.message, delivery, nowMs))',
      '.filter(() => false)',
    ],
    [
      'one ordering key that cannot be read keeps its batch',
      'if (untaken.size === 0) {\n    return undefined;\n  }',
      'if (untaken.size > 0) {\n    return [...untaken][0];\n  }',
    ],
    ['a missing first attempt not marked', 'receiveCount > 1', 'false'],
  ],
  'pipeline/deliver/ordering-key/ordering-key-session': [
    ['what joins a backlog does not look whether its circuit has closed', 'if (joins) {', 'if (false) {'],
    [
      'no timer is armed',
      'await ports.arm(ifNear({ timer: keyTimer(this.name), dueAtMs: input.dueAtMs }, nowMs, policy));',
      '',
    ],
    ['the refusal of a second writer is ignored', 'throw new OvertakenError(this.orderingKey);', ''],
    ['writing given up at the first failure', 'ports.now() + WRITING_SLEEP_MS >= endsAtMs', 'true'],
    ['writing never given up', 'ports.now() + WRITING_SLEEP_MS >= endsAtMs', 'false'],
  ],
  'pipeline/deliver/ordering-key/cancel': [
    [
      'a cancelled message stays queued',
      'removed: [positionOf(record, record.late)]',
      'removed: [] as string[]',
    ],
    ['a cancelled message frees its payment, whatever waits', 'next === undefined && isAll', 'true'],
    ['what has ended is cancelled', 'isFinal(record) ||', ''],
    ['a message that is retried is not cancelled', 'isFinal(record) ||', "record.state !== 'parked' ||"],
  ],
  'pipeline/deliver/ordering-key/resend': [
    ['a queued message is queued a second time', '} else if (isFinal(record)) {', '} else {'],
    [
      'the age of a late message counts from its intake',
      'since: instant(nowMs)',
      'since: record.admitted_at',
    ],
    ['a late message keeps its used-up schedule', 'failed_attempts: 0', 'failed_attempts: 99'],
  ],
  'pipeline/deliver/ordering-key/resume': [
    [
      'an ordering key is deleted with queued messages left',
      'isAll && next === undefined',
      'next === undefined',
    ],
    ['a queued message stays after it has ended', 'removed: [queued.queuedMessage.position]', 'removed: []'],
    [
      'a missing later attempt not marked',
      'const isInDoubt = isFirst && receiveCount > 1 && mayBePosted;',
      'const isInDoubt = false;',
    ],
    ['a rate limit is ignored within a turn', "step.by !== 'decision' && isLimited", 'false'],
  ],
  'pipeline/match/read-intake': [
    [
      'what does not fit its schema is delivered where it is refused',
      'return schemas?.refuses',
      'return false',
    ],
    [
      'what does not fit its schema is not marked',
      '{ event: { ...event, schema_error }, resource }',
      '{ event, resource }',
    ],
  ],
  'pipeline/deliver/batch-writes': [
    [
      'acknowledged before saved',
      'const { untaken, refused, internalErrors } = await this.#ports.save(all);',
      'if (all.length > 0) await this.#ports.acknowledge(entries.map(({ record }) => record));\n    const { untaken, refused, internalErrors } = await this.#ports.save(all);',
    ],
    ['a failed save is forgotten', 'this.#entries.unshift(...entries);\n      throw error;', 'throw error;'],
    [
      'what is not written is done with',
      'if (unsettledKeys.has(key) || !isSettled(entry)) {',
      'if (false) {',
    ],
    [
      'what lies behind something unwritten is done with',
      'if (unsettledKeys.has(key) || !isSettled(entry)) {',
      'if (!isSettled(entry)) {',
    ],
  ],
  'pipeline/match/make-messages': [
    [
      'what a partner does not want of a resource is sent',
      "fields === undefined ? inTurn.resource : projected(text ?? '{}', fields)",
      'inTurn.resource',
    ],
    ['`sent_before` not set', 'intake.receiveCount > 1 ? { sent_before: true } : {}', '{}'],
    [
      'positions are counted before the filter',
      'const position = (before?.position ?? 0) + 1;',
      'const position = sequence;',
    ],
  ],
  'pipeline/match/match': [
    [
      'routes of one service that cannot be read hold up every service',
      '[...untaken, ...failed.keys()]',
      'untaken.length + failed.size > 0 ? serviceIds : []',
    ],
    [
      "events find every service's subscriptions",
      'routes.get(serviceId) ?? []',
      '[...routes.values()].flat()',
    ],
  ],
  'pipeline/match/send-in-turn': [
    [
      'a lost race is left to the next worker',
      'overtaken.length > 0 && tries >= MAX_TRIES',
      'overtaken.length > 0',
    ],
    [
      'an event overtakes what is not decided yet',
      'filter(({ intake }) => !behind.has(intake))',
      'filter(() => true)',
    ],
    [
      'match does not return what was refused',
      'results.again(free.filter((one) => !isSent(one)).map(({ intake }) => intake));',
      '',
    ],
    ['what another worker was faster with is taken for done', 'next.add(intake);', ''],
  ],
  'pipeline/match/sequence/numbered-payment': [
    [
      'both doors may bring the first event of a payment at once',
      'known === undefined && policy.hasQueueDoor',
      'false',
    ],
    ['sweep does not look at gaps', 'gapOf(next, nowMs, policy)', 'undefined as ReturnType<typeof gapOf>'],
  ],
  'pipeline/match/sequence/numbered-payments': [
    [
      'an event that comes by another door is decided there',
      '!areReleased && intake.group !== group',
      'false',
    ],
  ],
  'pipeline/match/sequence/settle': [
    ['no timer for a gap', 'await ports.arm(timers);', ''],
    ['a gap signal that is early is lost', '(isNews || mayLackTimer || wasFar)', '(isNews || wasFar)'],
    [
      'a gap too far away for a timer when it was written gets none',
      '(isNews || mayLackTimer || wasFar)',
      '(isNews || mayLackTimer)',
    ],
    [
      'how far a payment is is written beyond what was not sent',
      'stop === -1 ? planned : planned.slice(0, stop)',
      'planned',
    ],
  ],
  'pipeline/sweep/sweep': [
    [
      'sweep arms no ordering key',
      'await ports.arm(armed.flatMap(armingOf));',
      "await ports.arm(armed.filter(({ timer, dueAt }) => timer.kind !== 'signal' || dueAt === undefined).flatMap(armingOf));",
    ],
    [
      'sweep arms no circuit',
      'await ports.arm(armed.flatMap(armingOf));',
      "await ports.arm(armed.filter(({ timer }) => timer.kind !== 'circuit').flatMap(armingOf));",
    ],
    [
      'sweep arms no recovery',
      'await ports.arm(armed.flatMap(armingOf));',
      "await ports.arm(armed.filter(({ timer }) => timer.kind !== 'recovery').flatMap(armingOf));",
    ],
    [
      'sweep finds nothing over age in a backlog',
      'await ports.arm(armed.flatMap(armingOf));',
      "await ports.arm(armed.filter(({ timer, dueAt }) => timer.kind !== 'signal' || dueAt !== undefined).flatMap(armingOf));",
    ],
    ['sweep moves no check on', 'ports.moveCheck(overdue, checkAtOf(overdue))', 'true'],
    ['sweep moves a check far on before it sends the timer', 'isNear(overdue) ? leasedUntil : ', ''],
  ],
  'pipeline/wake/circuit-timer': [
    ['a circuit timer ignores its generation', 'circuit.generation !== timer.generation', 'false'],
    ['a circuit timer arms no other', 'await armNext(timer, before, after, ports, policy);', ''],
  ],
  'pipeline/wake/see-backlog': [
    [
      'probes are always the oldest payments',
      'mixed(pages, ({ ordering_key }) => ordering_key, ports.draw)',
      'mixed(pages.slice(-1), ({ ordering_key }) => ordering_key, () => 1)',
    ],
  ],
  'pipeline/wake/recover': [
    [
      'a step of a recovery is written before its signals are sent',
      'const unsent = await sendInOrder(',
      'await ports.recoveries.advance(before, after);\n  const unsent = await sendInOrder(',
    ],
    ['a recovery passes over signals that were not taken', 'if (unsent.size > 0) {', 'if (false) {'],
  ],
  'pipeline/wake/wake': [
    [
      'a signal that was not taken is forgotten',
      'return [...answers.flat(), ...failed.keys()].flatMap',
      'return [].flatMap',
    ],
  ],
  'runtime/given-back': [
    [
      'what comes back waits for its whole visibility',
      'await this.#comeBack(',
      'await (async (_: unknown) => new Set<string>())(',
    ],
  ],
});

/** Rules that people keep here as the API and the adapters do. */
const OF_THE_SIMULATION: readonly Mutation[] = inFolder('test/simulation', {
  'people/sending': [
    [
      'signals have a derived deduplication id',
      'group: orderingKey(one), deduplicationId: newId()',
      'group: orderingKey(one), deduplicationId: orderingKey(one) + one.signal_kind',
    ],
  ],
  'plans/prepare': [
    [
      'the circuit timers of a rate limit begin with its first message',
      'return { rate_limit, circuit: { ...withTimer(CLOSED, nowMs), revision: 1 } };',
      'return { rate_limit, nowMs };',
    ],
  ],
});

const OF_REDRIVE: readonly Mutation[] = inFolder('cli/operator', {
  'redrive/plan': [
    ['a payment is put back from its end', 'ofKey.toSorted(byPosition)', 'ofKey.toReversed()'],
  ],
  'redrive/read-dead-letter': [
    ['a message is put back without `sent_before`', ', sent_before: true }', ' }'],
  ],
  'redrive/redrive': [
    [
      'a redrive continues with an ordering key after a refused dead letter',
      'batch.filter(({ key }) => !heldBack.has(key))',
      'batch',
    ],
    ['what SQS hides is not taken apart', 'if (!(await reading.takeApart())) {', 'if (true) {'],
  ],
});

const OF_PULL: readonly Mutation[] = inFolder('functions', {
  'pipeline/deliver/ordering-key/settle-lease': [
    ['a lease that ends is no attempt', 'Date.parse(lease.until) <= nowMs);', 'false);'],
    ['a cancelled message is taken from who has it in hand', 'why !== undefined ||', ''],
    ['what a partner reports is ignored', 'lease?.result ??', 'undefined ??'],
  ],
  'pipeline/deliver/ordering-key/resume': [
    [
      'after a message that was pulled, the next one is not given out',
      'subscription?.rate_limit !== undefined || !mayBePosted;',
      'subscription?.rate_limit !== undefined;',
    ],
  ],
  'core/ordering/gate': [
    ['a message that is to be pulled is posted', "if (health.delivery === 'pull') {", 'if (false) {'],
  ],
  'core/ordering/lease': [
    [
      'a failure that a partner reports is a success',
      "case 'failed':\n      return {",
      "case 'failed':\n      return { duration_ms };\n      return {",
    ],
    ['each attempt of a partner is counted as the first', 'record.attempt_count + 1', '1'],
  ],
  'api/feed/take-messages': [
    ['a feed passes by the first message of a payment', 'waiting[0], since', 'waiting.at(-1), since'],
    [
      'a feed that finds a lease that has ended says nothing',
      "await ports.signal([signal(key, 'resume')]);",
      '',
    ],
  ],
});

export const MUTATIONS: readonly Mutation[] = [
  ...OF_CORE,
  ...OF_FUNCTIONS,
  ...OF_THE_SIMULATION,
  ...OF_PULL.map((mutation) => ({ ...mutation, world: 'pulled' as const })),
  ...OF_REDRIVE.map((mutation) => ({ ...mutation, world: 'redriven' as const })),
];
