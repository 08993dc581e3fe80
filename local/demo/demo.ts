import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { deliveryFeed, type News } from '../../cli/partner/delivery-feed.ts';
import { type Partner, partner } from '../../cli/partner/partner.ts';
import { feedLines, leftOutLine } from '../../cli/partner/text/delivery-line.ts';
import { bus, type PutEvents, publish } from '../../cli/publisher/publish.ts';
import { type SampleType, samplePayment, sampleTypes } from '../../cli/publisher/sample-payments.ts';
import { runName } from '../../cli/publisher/send-payments.ts';
import { deployedTypes } from '../../cli/stage/deployed-types.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { labOf } from '../../cli/stage/local-outputs.ts';
import { narrator } from './narrator.ts';
import { type Shown, type Traffic, tellOutcome } from './outcome.ts';
import { type Receivers, receiversOf } from './receivers.ts';

const PAYMENTS = 60;
const PAYMENT_EVERY_MS = 1_000;
const EVENT_EVERY_MS = 800;
const LOOK_EVERY_MS = 500;
/** By payments. It lasts for more than the twenty in a row that open a circuit. */
const OUTAGE = { begins: 10, ends: 34 };

interface Demo extends Shown {
  /** What can be sent. */
  readonly types: readonly SampleType[];
}

/**
 * Subscribes three receivers and sends a payment a second for a minute, while one receiver is down for a part
 * of it. Prints the deliveries, what happens to circuits and, in the end, what came of it all; then follows
 * the deliveries until aborted.
 */
export async function showDemo(given: Shown): Promise<void> {
  const { outputs, colors, log, signal } = given;
  const demo = { ...given, types: sampleTypes(await deployedTypes(outputs.apiUrl)) };
  const api = partner(outputs, signal);
  const putEvents = bus(new EventBridgeClient(clientConfig(outputs.endpoint)), outputs.busName);
  const receivers = await receiversOf(api, labOf(outputs).receiverUrl);
  log(`\nIn a browser, once, within ten minutes: ${await api.consoleLink()}`);
  const feed = feedLines(
    demo.types.map(({ name }) => name),
    colors,
  );
  log(`\n${colors.bold(feed.titles)}`);
  const story = (async () => {
    const traffic = await sendTraffic(putEvents, receivers, demo);
    await tellOutcome({ api, receivers }, traffic, demo);
  })();
  await Promise.all([story, printNews(api, feed.line, demo)]);
}

async function sendTraffic(putEvents: PutEvents, receivers: Receivers, demo: Demo): Promise<Traffic> {
  const { signal } = demo;
  const run = `pay_${runName().slice(-4)}_`;
  const underWay: Promise<number>[] = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    if (number === OUTAGE.begins || number === OUTAGE.ends) {
      const isDown = number === OUTAGE.begins;
      await receivers.setDown(isDown);
      tell(demo, 'outage', isDown ? 'The endpoint goes down: it answers 503.' : 'The endpoint works again.');
    }
    underWay.push(sendPayment(putEvents, `${run}${number + 1}`, 2 + (number % 2), demo));
    await Promise.race([delay(PAYMENT_EVERY_MS, undefined, { signal }), ...underWay.map(failureOnly)]);
  }
  const counts = await Promise.all(underWay);
  return { run, eventCount: counts.reduce((sum, count) => sum + count, 0) };
}

async function sendPayment(
  putEvents: PutEvents,
  paymentId: string,
  eventCount: number,
  { outputs: { serviceId }, types, signal }: Demo,
): Promise<number> {
  for (const event of samplePayment({ serviceId, paymentId, eventCount, types, startedAt: new Date() })) {
    await publish([event], putEvents);
    await delay(EVENT_EVERY_MS, undefined, { signal });
  }
  return eventCount;
}

/** Never resolves, so that in a race only a failure counts. */
function failureOnly(work: Promise<unknown>): Promise<never> {
  return work.then(() => new Promise<never>(() => {}));
}

async function printNews(api: Partner, line: (news: News) => string, demo: Demo): Promise<void> {
  const { colors, log, signal } = demo;
  const deliveries = deliveryFeed(api);
  const circuits = narrator();
  for (;;) {
    const { news, leftOut } = await deliveries();
    for (const span of leftOut) {
      log(leftOutLine(span, colors));
    }
    for (const piece of news) {
      log(line(piece));
    }
    for (const { subscription, text } of circuits(await api.subscriptions())) {
      tell(demo, subscription, text);
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

function tell({ colors, log }: Demo, subscription: string, text: string): void {
  const time = new Date().toISOString().slice(11, 23);
  log(`${colors.dim(time)} ${colors.bold(colors.cyan(`${subscription.padEnd(14)} ${text}`))}`);
}
