import type { Circuit } from '../circuit/circuit.ts';
import { isOpenByHand } from '../circuit/operator-signals.ts';
import { instant } from '../text/instant.ts';
import type { Episodes, Happened, SeenSubscription, Step, Told } from './episodes.ts';
import { lookAtSecrets } from './look-at-secrets.ts';
import { noticeOf } from './notice.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An endpoint that fails again within four hours continues its episode; messages given up within a day do. */
const QUIET_MS = { failing: 4 * HOUR_MS, given_up: DAY_MS };

/** What continues is noted this often: a write for each look would cost more than all notices. */
const NOTED_EVERY_MS = HOUR_MS;

/**
 * What is due to be told of a subscription. Decided by what it is like now: operational events, which may be
 * late, doubled or lost, bring a look forward and count what leaves no trace in it.
 *
 * @param happened its operational events since the last look, in any order
 */
export function look(
  before: Episodes,
  seen: SeenSubscription,
  happened: readonly Happened[],
  nowMs: number,
): Told {
  const recent = happened
    .filter(({ at }) => Date.parse(at) > nowMs - DAY_MS)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return [lookAtEndpoint, lookAtMessages, lookAtState, lookAtSecrets, lookAtDigest].reduce<Told>(
    ({ episodes, notices }, step) => {
      const told = step(episodes, seen, recent, nowMs);
      return { episodes: told.episodes, notices: [...notices, ...told.notices] };
    },
    { episodes: before, notices: [] },
  );
}

/** Its trouble, and openings of its circuit that may be over already. */
function lookAtEndpoint(...[before, seen, happened, nowMs]: Parameters<Step>): Told {
  const trouble = seen.state === 'active' ? troubleOf(seen.circuit) : undefined;
  const sighted =
    trouble === undefined ? { episodes: before, notices: [] } : sight(before, seen, trouble, nowMs);
  return happened.reduce<Told>(({ episodes, notices }, event) => {
    const isOpening = event.type === 'circuit.opened' && event.reason !== 'by_operator';
    const told = isOpening
      ? countOpening(episodes, seen, { at: event.at, since: event.failing_since ?? event.at }, nowMs)
      : { episodes, notices: [] };
    return { episodes: told.episodes, notices: [...notices, ...told.notices] };
  }, sighted);
}

interface Trouble {
  readonly since: string;
  /** It gets probes only; otherwise its backlog is being sent, and it may be well already. */
  readonly isOpen: boolean;
}

/** Undefined: the endpoint is well, or an operator or its load is why the circuit is not closed. */
function troubleOf(circuit: Circuit | undefined): Trouble | undefined {
  const since = circuit?.in_trouble_since;
  if (circuit === undefined || since === undefined || isOpenByHand({ circuit })) {
    return undefined;
  }
  switch (circuit.state) {
    case 'closed':
      return undefined;
    case 'draining':
      return circuit.cause === undefined ? { since, isOpen: false } : undefined;
    default:
      return { since, isOpen: true };
  }
}

function sight(episodes: Episodes, seen: SeenSubscription, { since, isOpen }: Trouble, nowMs: number): Told {
  const { failing } = episodes;
  const hasHour = nowMs - Date.parse(since) >= HOUR_MS;
  // Where a look is missed, trouble that began before the last one continues.
  if (failing === undefined || isAfterQuiet(since, failing.seen_at, QUIET_MS.failing)) {
    return isOpen ? begin(episodes, seen, since, nowMs, hasHour) : { episodes, notices: [] };
  }
  if (isOpen && hasHour && failing.is_hour_told === undefined) {
    const told = { ...failing, seen_at: instant(nowMs), is_hour_told: true };
    return {
      episodes: { ...episodes, failing: told },
      notices: [noticeOf('endpoint.open', seen, failing.since, { at: instant(nowMs), since })],
    };
  }
  const isNoted = nowMs - Date.parse(failing.seen_at) < NOTED_EVERY_MS;
  return {
    episodes: isNoted ? episodes : { ...episodes, failing: { ...failing, seen_at: instant(nowMs) } },
    notices: [],
  };
}

/** @param hasHour seen for the first time after an hour: one notice is enough */
function begin(
  episodes: Episodes,
  seen: SeenSubscription,
  since: string,
  nowMs: number,
  hasHour: boolean,
): Told {
  const at = instant(nowMs);
  const failing = {
    ...{ since, seen_at: at, counted_to: at },
    ...(hasHour ? { is_hour_told: true } : {}),
  };
  return {
    episodes: { ...episodes, failing },
    notices: [noticeOf(hasHour ? 'endpoint.open' : 'endpoint.failing', seen, since, { at, since })],
  };
}

function countOpening(
  episodes: Episodes,
  seen: SeenSubscription,
  { at, since }: { readonly at: string; readonly since: string },
  nowMs: number,
): Told {
  const { failing } = episodes;
  if (failing === undefined || isAfterQuiet(at, failing.seen_at, QUIET_MS.failing)) {
    const begun = begin(episodes, seen, since, nowMs, false);
    return {
      ...begun,
      episodes: { ...begun.episodes, failing: { ...begun.episodes.failing!, counted_to: at } },
    };
  }
  if (Date.parse(at) <= Date.parse(failing.counted_to)) {
    return { episodes, notices: [] };
  }
  const seen_at = later(failing.seen_at, at);
  return {
    episodes: counted({ ...episodes, failing: { ...failing, seen_at, counted_to: at } }, at, {
      failed_again: 1,
    }),
    notices: [],
  };
}

/** The first messages that are given up are told; those that follow within a day are counted. */
function lookAtMessages(...[episodes, seen, happened, nowMs]: Parameters<Step>): Told {
  const all = new Map(
    happened.flatMap((event) => (event.type === 'message.exhausted' ? [[event.id, event]] : [])),
  );
  const [first] = all.values();
  if (first === undefined) {
    return { episodes, notices: [] };
  }
  const { given_up } = episodes;
  const last = [...all.values()].at(-1)?.at ?? first.at;
  if (given_up === undefined || isAfterQuiet(first.at, given_up.seen_at, QUIET_MS.given_up)) {
    const about = { at: instant(nowMs), since: first.at, given_up: all.size };
    return {
      episodes: { ...episodes, given_up: { seen_at: last } },
      notices: [noticeOf('messages.given_up', seen, first.at, about)],
    };
  }
  const seen_at = later(given_up.seen_at, last);
  return {
    episodes: counted({ ...episodes, given_up: { seen_at } }, first.at, { given_up: all.size }),
    notices: [],
  };
}

function lookAtState(...[episodes, seen, , nowMs]: Parameters<Step>): Told {
  const { state, disabled_at, disabled_reason } = seen;
  if (state !== 'disabled' || disabled_at === undefined || disabled_at === episodes.disabled_at) {
    return { episodes, notices: [] };
  }
  const about = { at: instant(nowMs), since: disabled_at, reason: disabled_reason };
  return {
    episodes: { ...episodes, disabled_at },
    notices: [noticeOf('subscription.disabled', seen, disabled_at, about)],
  };
}

/** A day after something has repeated for the first time. */
function lookAtDigest(...[episodes, seen, , nowMs]: Parameters<Step>): Told {
  const { digest, ...others } = episodes;
  if (digest === undefined || nowMs - Date.parse(digest.since) < DAY_MS) {
    return { episodes, notices: [] };
  }
  return {
    episodes: others,
    notices: [noticeOf('digest', seen, digest.since, { at: instant(nowMs), ...digest })],
  };
}

function counted(
  episodes: Episodes,
  since: string,
  { failed_again = 0, given_up = 0 }: { readonly failed_again?: number; readonly given_up?: number },
): Episodes {
  const { digest = { since, failed_again: 0, given_up: 0 } } = episodes;
  return {
    ...episodes,
    digest: {
      since: digest.since,
      failed_again: digest.failed_again + failed_again,
      given_up: digest.given_up + given_up,
    },
  };
}

function isAfterQuiet(at: string, seenAt: string, quietMs: number): boolean {
  return Date.parse(at) > Date.parse(seenAt) + quietMs;
}

function later(one: string, other: string): string {
  return Date.parse(one) > Date.parse(other) ? one : other;
}
