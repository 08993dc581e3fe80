import { NO_ANSWERS } from '../../../../../functions/core/attempt/answers.ts';
import { type Circuit, CLOSED, type In } from '../../../../../functions/core/circuit/circuit.ts';
import type { BlockedKey } from '../../../../../functions/core/ordering/blocked-ordering-key.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';

/** Seconds after ten o'clock, in ms since 1970. */
export function at(seconds: number): number {
  return TEN_O_CLOCK_MS + seconds * 1_000;
}

const lasting = {
  revision: 7,
  generation: 3,
  since: '2026-11-14T10:00:00.000Z',
  failed_ordering_keys: [],
  in_trouble_since: '2026-11-14T09:59:00.000Z',
};

export function closed(over: Partial<In<'closed'>> = {}): In<'closed'> {
  return { ...CLOSED, ...over };
}

/** Opened at ten, to be probed ten seconds later. */
export function open(over: Partial<In<'open'>> = {}): In<'open'> {
  return {
    ...lasting,
    state: 'open',
    cool_down_ms: 10_000,
    probe_at: '2026-11-14T10:00:10.000Z',
    timer_at: '2026-11-14T10:00:10.000Z',
    failing_since: '2026-11-14T09:59:00.000Z',
    ...over,
  };
}

/** Open since ten, without a probe. */
export function halted(): In<'open'> {
  const { probe_at: _, ...rest } = open({ cool_down_ms: 300_000, timer_at: '2026-11-14T10:05:00.000Z' });
  return rest;
}

/** The ordering key `a` is the only probe, from ten o'clock on, for 25 seconds. */
export function probing(over: Partial<In<'half_open'>> = {}): In<'half_open'> {
  return {
    ...lasting,
    state: 'half_open',
    cool_down_ms: 10_000,
    probes: ['a'],
    probe_at: '2026-11-14T10:00:25.000Z',
    timer_at: '2026-11-14T10:00:25.000Z',
    failing_since: '2026-11-14T09:59:00.000Z',
    ...over,
  };
}

/** The next message to arrive is to be the probe. */
export function inviting(): In<'half_open'> {
  const next = '2026-11-14T10:00:10.000Z';
  return probing({ probe_at: next, timer_at: next, probes: [] });
}

/** Draining for a while: an earlier timer has read the counts of answers. */
export function draining(over: Partial<In<'draining'>> = {}): In<'draining'> {
  return {
    ...lasting,
    state: 'draining',
    window: 4,
    answers: NO_ANSWERS,
    timer_at: '2026-11-14T10:00:01.000Z',
    ...over,
  };
}

export const circuits = {
  closed: closed(),
  open: open(),
  halted: halted(),
  probing: probing(),
  inviting: inviting(),
  draining: draining(),
} satisfies Record<string, Circuit>;

type State = BlockedKey['state'];

const key = {
  ordering_key: 'sub_1.pay-1',
  service_id: 'bakery',
  subscription_id: 'sub_1',
  payment_id: 'pay-1',
  revision: 4,
  oldest_since: '2026-11-14T09:00:00.000Z',
};

/** An ordering key in each state, of a message admitted at nine. */
export const blockedKeys: { readonly [S in State]: Extract<BlockedKey, { state: S }> } = {
  waiting: {
    ...key,
    state: 'waiting',
    due_at: '2026-11-14T10:30:00.000Z',
    check_at: '2026-11-14T10:16:00.000Z',
  },
  backlogged: {
    ...key,
    state: 'backlogged',
    backlogged_at: '2026-11-14T09:30:00.000Z',
    check_at: '2026-11-14T09:32:00.000Z',
    age_check_at: '2026-11-17T13:30:00.000Z',
  },
  stuck: { ...key, state: 'stuck', since: '2026-11-14T09:30:00.000Z', explanation: 'no signing secret' },
};

export function inBacklog(
  payment: string,
  over: Partial<(typeof blockedKeys)['backlogged']> = {},
): (typeof blockedKeys)['backlogged'] {
  return { ...blockedKeys.backlogged, payment_id: payment, ordering_key: `sub_1.${payment}`, ...over };
}
