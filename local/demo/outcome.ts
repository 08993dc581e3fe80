import { setTimeout as delay } from 'node:timers/promises';
import type { Partner } from '../../cli/partner/partner.ts';
import type { Colors } from '../../cli/partner/text/delivery-line.ts';
import type { LocalOutputs } from '../../cli/stage/local-outputs.ts';
import { howToBegin } from '../../cli/terminal/how-to-begin.ts';
import type { Receivers } from './receivers.ts';
import { type Endpoint, lateLines, summaryOf, waitingText } from './summary.ts';

const PATIENCE = {
  /** Until the first summary: longer than the local stage retries. */
  firstMs: 45_000,
  lookEveryMs: 500,
  lateLookEveryMs: 5_000,
};
const MAX_LATE = 10;

/** To whom the demonstration is shown, and until when. */
export interface Shown {
  readonly outputs: LocalOutputs;
  readonly colors: Colors;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Watched {
  readonly api: Pick<Partner, 'subscriptions' | 'allMessages'>;
  readonly receivers: Pick<Receivers, 'names' | 'receipts'>;
}

/** What was sent to each endpoint. */
export interface Traffic {
  /** Begins the payment ids. */
  readonly run: string;
  readonly eventCount: number;
}

/** Tells what came of it all once it has ended, or after a while: then also what waits, and the end of that. */
export async function tellOutcome(
  watched: Watched,
  traffic: Traffic,
  { outputs, colors, log, signal }: Shown,
  patience = PATIENCE,
): Promise<void> {
  const { eventCount } = traffic;
  const endsAt = Date.now() + patience.firstMs;
  const look = () => endpointsOf(watched, traffic);
  let seen = await look();
  const waiting = () => waitingText(seen.endpoints, eventCount);
  const untilSettled = async (untilMs: number, everyMs: number) => {
    while ((waiting() !== undefined || !seen.areClosed) && Date.now() < untilMs) {
      await delay(everyMs, undefined, { signal });
      seen = await look();
    }
  };
  if (waiting() !== undefined) {
    const until = new Date(endsAt).toISOString().slice(11, 19);
    log(
      colors.bold(`All is sent. Still waiting: ${waiting()}. The summary comes with the last, by ${until}.`),
    );
  }
  await untilSettled(endsAt, patience.lookEveryMs);
  const left = waiting();
  const first = seen.endpoints;
  log(
    [
      ...outcome(first, eventCount, colors),
      ...(left === undefined
        ? []
        : [`  Still waiting: ${left}. The summary is printed again with the last.`]),
      '',
      colors.bold('What to try next'),
      howToBegin(outputs),
      '',
      'Deliveries appear here until you press Ctrl-C.',
      '',
    ].join('\n'),
  );
  if (left !== undefined) {
    await untilSettled(Number.POSITIVE_INFINITY, patience.lateLookEveryMs);
    const late = lateLines(first, seen.endpoints).slice(0, MAX_LATE);
    log([...outcome(seen.endpoints, eventCount, colors), ...late, ''].join('\n'));
  }
}

/** What there is to say of the endpoints of the demonstration, and whether their circuits are closed. */
async function endpointsOf({ api, receivers }: Watched, { run }: Traffic) {
  const subscriptions = await api.subscriptions();
  const own = subscriptions.filter(({ description }) => receivers.names.includes(description));
  const endpoints = await Promise.all(
    own.map(async ({ subscription_id, description: name }) => {
      const [messages, receipts] = await Promise.all([
        api.allMessages(subscription_id),
        receivers.receipts(name),
      ]);
      // Whoever watches may have sent more.
      return { name, messages: messages.filter(({ payment_id }) => payment_id.startsWith(run)), receipts };
    }),
  );
  return { endpoints, areClosed: own.every(({ circuit }) => circuit.state === 'closed') };
}

function outcome(endpoints: readonly Endpoint[], eventCount: number, colors: Colors): string[] {
  return [
    '',
    colors.bold('What came of it'),
    ...summaryOf(endpoints, eventCount),
    '  Time to send is the median from intake to the first attempt, without waits for an endpoint or an earlier message.',
  ];
}
