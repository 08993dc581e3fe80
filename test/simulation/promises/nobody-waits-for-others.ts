import { type Check, nameOf } from './line.ts';

/** What the way takes: polls, port calls, the batch before it in its shard, and the 250 ms of the early release. */
const WAY_MS = 1_000;
/** A failed attempt, and what could not end in time, comes again after so long. */
const RETRY_MS = 5_000;

/**
 * In a world where nothing of ours fails and workers are plenty: whoever answers quickly waits for nobody else's endpoint, and a failed
 * attempt is made again in time.
 */
export const nobodyWaitsForOthers: Check = ({ plan }, lines) => {
  if (plan.faults.untilMs > 0 || plan.workers.deliver < 50) {
    return [];
  }
  const broken: string[] = [];
  for (const line of lines) {
    const number = Number(line.subscription.subscription_id.slice('sub_'.length));
    const { receiver, secretlessUntilMs } = plan.subscriptions[number]!;
    if (secretlessUntilMs > 0) {
      continue;
    }
    let freeAtMs = 0;
    for (const message of line.messages) {
      const waitedMs = (message.requests[0]?.startedAtMs ?? 0) - Math.max(message.admittedAtMs, freeAtMs);
      if (waitedMs > WAY_MS + (receiver.kind === 'quick' ? 0 : RETRY_MS)) {
        broken.push(`${nameOf(message, line)} waited ${waitedMs} ms for its first attempt`);
      }
      for (const [index, { startedAtMs }] of message.requests.entries()) {
        const pauseMs = startedAtMs - (message.requests[index - 1]?.heardAtMs ?? Number.NaN);
        if (pauseMs < RETRY_MS || pauseMs > RETRY_MS + WAY_MS) {
          broken.push(`${nameOf(message, line)} was tried again after ${pauseMs} ms`);
        }
      }
      freeAtMs = message.requests.find(({ heardSuccess }) => heardSuccess)?.heardAtMs ?? 0;
    }
  }
  return broken;
};
