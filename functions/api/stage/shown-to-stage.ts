/**
 * What becomes of a member of an answer. `shown`: as it is. `host`: of a URL only where it leads, as its path
 * may hold a secret. `empty`: an empty text or list, where there always is one. `left out`: nothing of it.
 */
type Treatment = 'shown' | 'host' | 'empty' | 'left out';

function all(treatment: Treatment, ...names: readonly string[]): Readonly<Record<string, Treatment>> {
  return Object.fromEntries(names.map((name) => [name, treatment]));
}

const SHOWN = `acknowledged acknowledged_within_60_s actor admitted_at arrived_at at attempt attempt_count attempts attempts_left_out body_erased_at by
cancelled cause challenge_id changed changes circuit count counted_at created_at dead_letters delivered
delivery deprecated disabled_at disabled_reason draining_circuits dry_run duration_ms earlier_may_be_missing
early ended_at endpoints ends_at entries event_id event_type event_types examined_count exhausted
expires_after_seconds expires_at extra_signatures failed_again failed_attempts failure_class failures from
gap_before given_up group health held_ms in_trouble_since is_cut is_more kind last_attempt_at
last_failure_class last_status_code late live message_id messages messages_behind_circuits missing more
next next_attempt_at next_awaited_until next_cursor next_probe_at notice_id notices occurred_at oldest_admitted_at
oldest_due_seconds oldest_seconds open_circuits operation parked_at payment_id periods position
previous_message_id probe rate_limit reason recovery_id read_units refused_payments request_id resent_count
resource_id resource_type result rows runbook schedule schema_error sent sequence service_id services since started_at state state_reason statistics states
status_code stuck_payments subscription_id subscriptions successor text time_to_acknowledge_p50_ms
time_to_acknowledge_p95_ms time_to_send_ms time_to_send_p50_ms
time_to_send_p95_ms timeout_ms to token_id
unreadable until up_to_ms waiting waits_for waits_until work`;

/**
 * Every member that an answer to a session of the whole stage may have, wherever it stands. What is not named
 * here is left out, and a test wants every member named. Left out are bodies, answers of endpoints, secrets,
 * contacts, and what partners write for themselves.
 */
export const MEMBERS: Readonly<Record<string, Treatment>> = {
  ...all(
    'left out',
    'body',
    'response_body',
    'failure_reason',
    'contact',
    'public_key',
    'secret_id',
    'filter',
    'fields',
    'schema',
    'sample',
  ),
  ...all('empty', 'description', 'signing_secrets', 'custom_header_names'),
  ...all('host', 'callback_url', 'notices_url'),
  ...all('shown', ...SHOWN.split(/\s+/)),
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body of an answer as a session of the whole stage sees it. */
export function shownToStage(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(shownToStage);
  }
  if (!isRecord(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const seen = treated(Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : 'left out', member);
      return seen === undefined ? [] : [[name, seen]];
    }),
  );
}

/** @returns undefined when it is left out */
function treated(treatment: Treatment = 'left out', member: unknown): unknown {
  switch (treatment) {
    case 'shown':
      return shownToStage(member);
    case 'host':
      return hostOnly(member);
    case 'empty':
      return typeof member === 'string' ? '' : Array.isArray(member) ? [] : undefined;
    case 'left out':
      return undefined;
  }
}

/** Also in what a change says of before and after. */
function hostOnly(member: unknown): unknown {
  if (isRecord(member)) {
    return Object.fromEntries(Object.entries(member).map(([name, value]) => [name, hostOnly(value)]));
  }
  const origin = typeof member === 'string' ? URL.parse(member)?.origin : undefined;
  return origin === undefined ? undefined : `${origin}/`;
}
