import type { Ground } from '../ground.ts';
import { messagesPerMonth, sumOf, type Traffic, type Usage } from '../usage.ts';
import { attempting, connecting, countingStatistics, failing, matching } from './attempting.ts';
import { archiving, sending, storing } from './keeping.ts';

/** What a month of traffic uses, by what it is for. */
export function delivering(traffic: Traffic, ground: Ground): Readonly<Record<string, Usage>> {
  const { full, parked } = ground.measured.courses;
  const messages = messagesPerMonth(traffic);
  const failed = messages * traffic.failedShare;
  const taken = messages - failed;
  const both = (of: typeof storing) =>
    sumOf([of(taken, full, traffic, ground), of(failed, parked, traffic, ground)]);
  return {
    'first attempts': sumOf([
      matching(traffic, ground),
      attempting(taken, traffic, ground),
      countingStatistics(taken, traffic, ground),
    ]),
    'failed first attempts': failing(failed, traffic, ground),
    storage: both(storing),
    archive: archiving(messages, ground),
    'to the internet': both(sending),
    handshakes: messages === 0 ? {} : connecting(traffic, ground),
  };
}
