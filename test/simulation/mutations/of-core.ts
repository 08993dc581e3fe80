import { inFolder, type Mutation } from './mutation.ts';

/** Rules of the pure core. */
export const OF_CORE: readonly Mutation[] = inFolder('functions/core', {
  'attempt/answers': [
    [
      'a subscription is disabled without being told',
      'if (result.status_code === GONE) {',
      'if (result.status_code === GONE || result.status_code === 404) {',
    ],
  ],
  'attempt/retry-schedule': [['`Retry-After` not honoured', 'Math.max(jittered, retryAfterMs)', 'jittered']],
  'attempt/signature': [
    [
      'only the newest secret signs',
      '...keys.map(({ secret }) => v1(secret, head, body)),',
      '...keys.slice(0, 1).map(({ secret }) => v1(secret, head, body)),',
    ],
    ['an expired secret signs on', 'expires_at === undefined || Date.parse(expires_at) > nowMs', 'true'],
  ],
  'catalogue/catalogue': [
    [
      'aliases of types are not known',
      '[type.name, ...(type.aliases ?? [])].map((name) => [name, type])',
      '[[type.name, type]]',
    ],
  ],
  'catalogue/schema-check': [
    ['nothing is checked by its schema', 'schema === undefined || schema.validate(resource)', 'true'],
  ],
  'catalogue/ping-names': [
    [
      'a sample counts as an event of a payment',
      'event_type === CHALLENGE || event_type.startsWith(SAMPLE)',
      'event_type === CHALLENGE',
    ],
  ],
  'circuit/transitions': [
    ['circuit never opened', 'counted.failed_ordering_keys.length >= policy.failedOrderingKeys', 'false'],
    ['circuit never reset by a success', 'return hasFailed ? {', 'return false ? {'],
    ['each quick success writes to the subscription', 'return hasFailed ? {', 'return true ? {'],
    [
      'a run of failures outlives a success in its first minute',
      'return hasFailed ? {',
      "return hasFailed && arguments[2].nowMs - Date.parse(failing_since ?? '') >= 60_000 ? {",
    ],
    ['nothing paces the retries of an overloaded endpoint', "if (answer === 'overloaded') {", 'if (false) {'],
    [
      'a crowded circuit starts no drain',
      "return { ...drain(circuit, nowMs, policy), cause: 'crowded' };",
      'return circuit;',
    ],
    [
      'a circuit opens with its first failure',
      'counted.failed_ordering_keys.length >= policy.failedOrderingKeys',
      'counted.failed_ordering_keys.length >= 1',
    ],
  ],
  'circuit/draining': [
    [
      'a drain does not look at its backlog a last time',
      'if (closedForMs >= policy.tailMs && first === undefined) {',
      'if (true) {',
    ],
    ['a drain ends with ordering keys in its backlog', 'isQuiet(circuit, backlog, context)', 'true'],
    ['the circuit timers of a rate limit end', 'if (isLimited) {', 'if (false) {'],
    [
      'a limited backlog that looks empty is not looked at for half a minute',
      'policy.timerMs * LOOKS_GROWTH ** idle_timers',
      'policy.idleMs',
    ],
    [
      'each message brings the timer of a rate limit forward',
      'if (circuit.idle_timers === 0) {',
      'if (false) {',
    ],
    [
      'a success ends no streak of a drain',
      'return news.succeeded > 0 ? 0 : failed_in_a_row + failed;',
      'return failed_in_a_row + failed;',
    ],
    [
      'a drain never ends',
      'quiet_since !== undefined && nowMs - Date.parse(quiet_since) >= quietMs',
      'false',
    ],
    [
      'a drain fails with its first failure',
      'return Math.min(failedOrderingKeys, Math.max(firstWindow, 2 * window));',
      'return 1;',
    ],
  ],
  'circuit/window': [
    [
      'a window grows without bound',
      'const max = Math.min(policy.widestWindow, isAnswered(news) ? share : Math.min(share, slowShare));',
      'const max = 1e6;',
    ],
    [
      'a window never grows',
      'isAnswered(news) && mayGrow ? 2 * window',
      'isAnswered(news) && mayGrow ? window',
    ],
  ],
  'circuit/proof': [
    ['an unproven endpoint is sent to', "state: 'unproven', circuit", "state: 'active', circuit"],
  ],
  'message/challenge': [
    ['whatever a challenge is answered is proof', "echoIn(result.response_body ?? '') === challenge", 'true'],
  ],
  'circuit/endpoint-health': [
    [
      '410 does not disable',
      "disabled: 'disabled', deleted: 'deleted' },\n  unproven",
      "deleted: 'deleted' },\n  unproven",
    ],
    ['failures of days do not disable', 'nowMs - Date.parse(failingSince) >= policy.disableAfterMs', 'false'],
    ['two failures days apart disable', 'circuit.has_opened &&', ''],
    ['enabling starts no drain', "active: 'resumed'", "active: 'halted'"],
    [
      'days of failures are over at once',
      'nowMs - Date.parse(failingSince) >= policy.disableAfterMs',
      'true',
    ],
  ],
  'circuit/probing': [
    [
      'a lost probe is waited for for ever',
      'withTimer({ ...circuit, probes, probe_at: instant(endsAtMs) }, endsAtMs)',
      'withTimer({ ...circuit, probes, probe_at: instant(endsAtMs + 1e12) }, endsAtMs + 1e12)',
    ],
    ['whoever fails ends the probe', 'if (!isProbe || !circuit.probes.includes(key)) {', 'if (false) {'],
    ['the first failed probe ends the round', 'return probes.length > 0\n', 'return false\n'],
    ['a drain after a probe takes only the head', 'spreads: true, cool_down_ms', 'cool_down_ms'],
  ],
  'circuit/states': [
    ['the cool-down does not grow', 'Math.round(policy.coolDownGrowth * coolDownMs)', 'coolDownMs'],
    [
      'a success does not end the days of failures',
      'if (circuit.failing_since === undefined) {',
      'if (true) {',
    ],
    [
      'a drain begins with the widest window',
      'Math.max(policy.firstWindow, circuit.resume_with ?? 0) : policy.firstWindow,',
      'policy.widestWindow : policy.widestWindow,',
    ],
  ],
  'message/decision': [
    [
      'exhausted one attempt early',
      'failedAttempts: failedAttempts + 1',
      'failedAttempts: failedAttempts + 2',
    ],
    ['never exhausted by age', 'nowMs - sinceMs >= totalAgeMs', 'false'],
    ['`expires_at` ignored', 'expires_at !== undefined && nowMs >= Date.parse(expires_at)', 'false'],
    ['`abort-message` ignored', "askedBy(result) === 'abort-message'", 'false'],
    ['a probe uses up the schedule', 'if (isProbe) {', 'if (false) {'],
    ['a refusal for overload uses up the schedule', 'if (isPaced) {', 'if (false) {'],
    ['exhausted at half of its age', 'nowMs - sinceMs >= totalAgeMs', 'nowMs - sinceMs >= totalAgeMs / 2'],
  ],
  'message/outcome': [
    ['late is not marked on the record', '{ ...record, late: true, ...by }', '{ ...record, ...by }'],
  ],
  'message/message': [['the ordering key is the subscription alone', 'of.payment_id}`', "''}`"]],
  'message/look-into': [['the filter of a recovery is ignored', 'selection.filter === undefined', 'true']],
  'message/recovery': [
    [
      'what has expired is recovered',
      "(state_reason === 'skipped' || state_reason === 'disabled')",
      "state_reason !== 'deleted'",
    ],
    [
      'what was delivered is recovered though nobody asked',
      'states ?? FAILED_STATES',
      'states ?? RECOVERABLE_STATES',
    ],
    ['what was delivered is never recovered', "state === 'succeeded' ||", ''],
    ['a recovery of some payments takes others', 'payments?.has(message.payment_id) ?? true', 'true'],
    [
      'a payment is recovered from its end',
      'recoverable.sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))',
      'recoverable.reverse()',
    ],
    ['a recovery takes states that nobody asked for', 'wanted.includes(message.state)', 'true'],
    ['a recovery ends with its first page', 'continueAt === undefined', 'true'],
  ],
  'ordering/blocked-ordering-key': [
    [
      'what is over age stays in the backlog',
      'return overAgeAtMs > nowMs ? overAgeAtMs : nowMs + graceMs;',
      'return Number.POSITIVE_INFINITY;',
    ],
  ],
  'ordering/circuit-timer': [
    [
      'a drain signals what was signalled lately',
      'const isFree = (key: InBacklog) => !isInHand(key, nowMs);',
      'const isFree = (_: InBacklog) => true;',
    ],
    ['a circuit timer signals more than the rate limit', '  ]).slice(0, max);', '  ]);'],
    [
      'a slow endpoint with a rate limit gets the attempts of one second at a time',
      'UNDER_WAY_SECONDS * perTimer(health)',
      'perTimer(health)',
    ],
    [
      'a drain signals all that it sees',
      'const room = maxUnderWay(before, policy) - window.filter((key) => !isFree(key)).length;',
      'const room = 1e6;',
    ],
    ['a drain never takes more than the head', 'Math.min(ofSample(before), behind, elsewhere)', '0'],
  ],
  'ordering/gate': [
    ['a record received before is not checked for duplicates', 'receiveCount > 1 ||', 'false ||'],
    ['old events are not checked for duplicates', 'nowMs - eventAtMs > REMEMBERED_BY_SQS_MS', 'false'],
    [
      "an event's age counts from its intake, not from its own time",
      'Math.min(message.admitted_at_ms, Date.parse(message.occurred_at))',
      'message.admitted_at_ms',
    ],
    ["an event's age has no margin for clocks", '4 * 60_000', '5 * 60_000'],
    [
      'a signal is obeyed before its time',
      'return !isOperators && Date.parse(key.due_at) <= nowMs + TOLERANCE_MS;',
      'return !isOperators;',
    ],
    ['a stuck ordering key obeys any signal', 'return isOperators || isOrphan();', 'return true;'],
    ['no tolerance for clocks', 'TOLERANCE_MS = 1_000', 'TOLERANCE_MS = 0'],
    [
      'an open circuit lets all pass',
      "case 'open':\n      return { kind: 'wait', reason: 'circuit_open' };",
      "case 'open':\n      return { kind: 'attempt', isProbe: false };",
    ],
    ['a half-open circuit lets all pass', "if (signalKind === 'probe' && isLeased) {", 'if (true) {'],
    ['a drain lets all pass', "return signalKind === 'drain' || signalKind === 'probe'\n", 'return true\n'],
    [
      'a rate limit lets pass what comes',
      "health.rate_limit === undefined || signalKind === 'drain'",
      'true',
    ],
    [
      'an attempt starts without the time for it',
      'if (nowMs + timeoutMs > attemptsUntilMs) {',
      'if (false) {',
    ],
    [
      'a paused subscription is sent to',
      "if (health.state !== 'active') {",
      "if (health.state === 'disabled') {",
    ],
    ['an ordering key may be a minute early', 'const TOLERANCE_MS = 1_000;', 'const TOLERANCE_MS = 60_000;'],
  ],
  'ordering/sending-order': [
    [
      'two messages of one ordering key share a send batch',
      'nextBatchOf.set(key, index + 1)',
      'nextBatchOf.set(key, index)',
    ],
    [
      'match continues with an ordering key after a refused message',
      'batch.filter((message) => !refusedKeys.has(orderingKey(message)))',
      'batch',
    ],
  ],
  'sequence/order-number': [['a late message is sorted by its order number', "late ? '~' : ''", "''"]],
  'sequence/payment-sequence': [
    [
      'services share the sequence of a payment id',
      '({ service_id, payment_id }: PaymentName): string {',
      "({ payment_id }: PaymentName): string {\n  const service_id = 'any';",
    ],
  ],
  'sequence/steps': [
    [
      'what an older record lets continue moves forward in the order',
      'order_number: isAhead ? record.order_number : rightBehind(last.order_number),',
      'order_number: record.order_number,',
    ],
    ['an early event continues at once', 'if (arrival.sequence > state.next) {', 'if (false) {'],
    [
      'an early event is kept whole where its payment stands',
      '[...state.early, { sequence, event_id, since }]',
      '[...state.early, { ...arrival, since }]',
    ],
    [
      'what waits is not released by the event before it',
      'return [...steps, own, ...admitWaiting(own.after)];',
      'return [...steps, own];',
    ],
    [
      'a straggler is dropped',
      "if (known === '') {",
      "if (known === '') {\n    return { kind: 'repeated', after: state };",
    ],
    [
      'a late event is not marked',
      "const mark = since === undefined ? 'late'",
      'const mark = since === undefined ? undefined',
    ],
    [
      'what continued behind a gap is not marked',
      'return isBehindGap ? { ...event, gap_before: true } : event;',
      'return event;',
    ],
    ['a repeat of what waits is taken for another event', 'if (state.early.some(isSame)) {', 'if (false) {'],
  ],
  'subscription/secret-rotation': [
    [
      'a revoked secret is not forgotten',
      'secrets: { removed: [secretId, ...idsOf(expired)] },',
      'secrets: { removed: idsOf(expired) },',
    ],
  ],
  'subscription/subscription-change': [
    ['a filter stays as it was', "setOrRemove(changed, 'filter', filter);", ''],
    ['fields stay as they were', "setOrRemove(changed, 'fields', fields);", ''],
  ],
  'subscription/subscription': [
    [
      'event types are ignored',
      'route.event_types.some((pattern) => matchesPattern(event.public_type, pattern))',
      'true',
    ],
    ['filters are ignored', '(route.filter === undefined || takes(route.filter, seen()))', 'true'],
  ],
});
