import type { Wish } from '../core/hint.ts';
import { isDue } from '../core/is-due.ts';
import type { KeyInput } from '../core/key-lifecycle.ts';
import { isFinal } from '../core/outcome.ts';
import { advance } from './advance.ts';
import type { Batch } from './batch.ts';
import { headOfWaiting } from './head.ts';
import type { KeySession } from './key-session.ts';
import type { Hinted, Outcome, Waiting } from './ports.ts';

/**
 * Does what a hint asks for, as far as it is due: takes the messages that wait in the key in their order, until one of them stays, time runs out or
 * none is left. What is not there or not due goes by without a trace.
 */
export async function resume(
  { hint, receiveCount }: Hinted,
  session: KeySession,
  batch: Batch,
): Promise<void> {
  const { ports } = batch;
  const { key } = session;
  if (key === undefined || !isDue(key, hint.wish, ports.now())) {
    return;
  }
  const oldestAdmittedAt = key.oldest_admitted_at;
  if (hint.wish === 'release') {
    await session.take({ input: { kind: 'released' }, oldestAdmittedAt });
  }
  let wish = hint.wish;
  let isFirst = true;
  for (;;) {
    const { waiting, isAll } = await ports.waitingIn(session.orderingKey);
    if (waiting.length === 0) {
      await session.take({ input: { kind: 'emptied' }, oldestAdmittedAt });
      return;
    }
    for (const [index, one] of waiting.entries()) {
      const next = waiting[index + 1];
      const isLast = isAll && next === undefined;
      const received = { receiveCount, earlierMayBeMissing: isFirst && receiveCount > 1 };
      const remove = async (outcomes: readonly Outcome[], isVainProbe: boolean) => {
        const kind = isLast ? 'emptied' : inputAfter(wish, isVainProbe);
        await session.take({
          input: { kind },
          oldestAdmittedAt: (next ?? one).pointer.admitted_at,
          removed: [one.pointer.order_number],
          outcomes,
        });
      };
      if ((await takeOne(one, { wish, received, remove, session, batch })) === 'paused' || isLast) {
        return;
      }
      wish = afterFirst(wish);
      isFirst = false;
    }
  }
}

interface Turn {
  readonly wish: Wish;
  readonly received: { readonly receiveCount: number; readonly earlierMayBeMissing: boolean };
  readonly remove: (outcomes: readonly Outcome[], isVainProbe: boolean) => Promise<void>;
  readonly session: KeySession;
  readonly batch: Batch;
}

async function takeOne(one: Waiting, turn: Turn): Promise<'ended' | 'paused'> {
  const { wish, received, remove, session, batch } = turn;
  const { record, pointer, fault } = one;
  if (record === undefined && fault !== undefined && wish !== 'skip') {
    await session.take({
      input: { kind: 'faulted', explanation: fault.message },
      oldestAdmittedAt: pointer.admitted_at,
    });
    return 'paused';
  }
  if (record === undefined || isFinal(record)) {
    // Nobody knows its message any more, or it has ended: there is nothing to send.
    batch.ports.observer.pointerLost(pointer);
    await remove([], false);
    return 'ended';
  }
  const subscriptionFault = batch.found.faults.get(session.name.subscription_id);
  const head = headOfWaiting(one, record, subscriptionFault, received);
  const end = (outcome: Outcome, isVainProbe: boolean) => remove([outcome], isVainProbe);
  return advance({ head, wish, session, batch, end });
}

/** What it means for the key that its first message has ended and others wait behind it. */
function inputAfter(
  wish: Wish,
  isVainProbe: boolean,
): Exclude<KeyInput['kind'], 'attempt_failed' | 'faulted'> {
  if (wish === 'skip') {
    return 'released';
  }
  return isVainProbe ? 'probe_failed' : 'moved_on';
}

/** What is wanted of the messages behind: a probe that was answered begins the drain, an operator's wish is fulfilled. */
function afterFirst(wish: Wish): Wish {
  switch (wish) {
    case 'probe':
      return 'drain';
    case 'release':
    case 'skip':
      return 'due';
    default:
      return wish;
  }
}
