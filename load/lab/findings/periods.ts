import type { Period } from '../../results/run-result.ts';
import type { Change, PartnerGroup } from '../partners/partner-groups.ts';

/** A change that a group of partners has made. */
export interface Changed {
  readonly group: string;
  readonly change: Omit<Change, 'at'>;
  /** When it took effect, ms since 1970. */
  readonly atMs: number;
}

type State = Pick<PartnerGroup, 'receiver' | 'subscription'>;
type Time = Pick<Period, 'from_seconds' | 'to_seconds'>;

/**
 * The periods that charts mark: the baseline, and for each group the times in which it behaved, or was
 * limited, differently than at the beginning.
 *
 * @param changed changes that took effect: an interrupted run lacks some of the planned ones
 * @param run `fromMs` of the first event, since 1970; its `seconds`; the `baseline` in seconds
 */
export function periodsOf(
  groups: readonly PartnerGroup[],
  changed: readonly Changed[],
  {
    fromMs,
    seconds,
    baseline,
  }: { readonly fromMs: number; readonly seconds: number; readonly baseline: number },
): Period[] {
  const hasTrouble = groups.some(({ changes }) => changes.length > 0);
  const all = groups.flatMap((group) => {
    const own = changed.filter((one) => one.group === group.name).sort((a, b) => a.atMs - b.atMs);
    return ofGroup(group, own, (atMs) => (atMs - fromMs) / 1_000);
  });
  return [
    ...(baseline > 0 && hasTrouble ? [{ what: 'baseline', from_seconds: 0, to_seconds: baseline }] : []),
    ...all,
  ].flatMap((period) => {
    const time = within(period, seconds);
    return time.to_seconds > time.from_seconds ? [{ ...period, ...time }] : [];
  });
}

function ofGroup(
  group: PartnerGroup,
  changed: readonly Changed[],
  secondsAt: (atMs: number) => number,
): Period[] {
  const usual = new Set(described(group));
  const periods: Period[] = [];
  let state: State = group;
  let open: Pick<Period, 'what' | 'from_seconds'> | undefined;
  const close = (to_seconds: number) => {
    if (open !== undefined) periods.push({ group: group.name, ...open, to_seconds });
  };
  for (const { change, atMs } of changed) {
    state = {
      receiver: change.receiver ?? state.receiver,
      subscription: { ...state.subscription, ...change.subscription },
    };
    const what = described(state)
      .filter((one) => !usual.has(one))
      .join(', ');
    if (what !== (open?.what ?? '')) {
      close(secondsAt(atMs));
      open = what === '' ? undefined : { what, from_seconds: secondsAt(atMs) };
    }
  }
  close(Number.POSITIVE_INFINITY);
  return periods;
}

/** Describes a partner, in words that follow its name. */
function described({ receiver, subscription }: State): string[] {
  const { hang, failure_rate = 0, failure_status = 500, delay_ms } = receiver;
  const limit = subscription.rate_limit === undefined ? [] : [`rate limit of ${subscription.rate_limit}/s`];
  if (hang === true) return ['never answers', ...limit];
  if (Number(failure_rate) >= 1) return [`answers ${failure_status}`, ...limit];
  return [...(delay_ms === undefined ? [] : [`answers after ${delay_ms} ms`]), ...limit];
}

/** To a tenth of a second. */
function within({ from_seconds, to_seconds }: Time, seconds: number): Time {
  const tenths = (value: number) => Math.round(Math.min(Math.max(0, value), seconds) * 10) / 10;
  return { from_seconds: tenths(from_seconds), to_seconds: tenths(to_seconds) };
}
