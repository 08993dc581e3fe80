import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { deliveryFeed, type News } from '../../cli/partner/delivery-feed.ts';
import { type Partner, partner } from '../../cli/partner/partner.ts';
import { type Colors, feedLines, leftOutLine } from '../../cli/partner/text/delivery-line.ts';
import { bus, type PutEvents, publish } from '../../cli/publisher/publish.ts';
import { type SampleType, samplePayment, sampleTypes } from '../../cli/publisher/sample-payments.ts';
import { runName } from '../../cli/publisher/send-payments.ts';
import { deployedTypes } from '../../cli/stage/deployed-types.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { type LocalOutputs, labOf } from '../../cli/stage/local-outputs.ts';
import { narrator } from './narrator.ts';
import { type Receivers, receiversOf } from './receivers.ts';
import { summaryOf } from './summary.ts';

const PAYMENTS = 60;
const PAYMENT_EVERY_MS = 1_000;
const EVENT_EVERY_MS = 800;
const LOOK_EVERY_MS = 500;
/** By payments. It lasts for more than the twenty in a row that open a circuit. */
const OUTAGE = { begins: 10, ends: 34 };
/** Longer than the local stage retries. */
const SETTLED_WITHIN_MS = 45_000;

interface Demo {
  readonly outputs: LocalOutputs;
  /** What can be sent. */
  readonly types: readonly SampleType[];
  readonly colors: Colors;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Subscribes three receivers and sends a payment a second for a minute, while one receiver is down for a part
 * of it. Prints the deliveries, what happens to circuits and, in the end, what came of it all; then follows
 * the deliveries until aborted.
 */
export async function showDemo(given: Omit<Demo, 'types'>): Promise<void> {
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
    const eventCount = await sendTraffic(putEvents, receivers, demo);
    await untilSettled(api, eventCount, signal);
    log(await inTheEnd(api, receivers, demo));
  })();
  await Promise.all([story, printNews(api, feed.line, demo)]);
}

/** Resolves to the number of events. */
async function sendTraffic(putEvents: PutEvents, receivers: Receivers, demo: Demo): Promise<number> {
  const { signal } = demo;
  const run = runName().slice(-4);
  const underWay: Promise<number>[] = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    if (number === OUTAGE.begins || number === OUTAGE.ends) {
      const isDown = number === OUTAGE.begins;
      await receivers.setDown(isDown);
      tell(demo, 'outage', isDown ? 'The endpoint goes down: it answers 503.' : 'The endpoint works again.');
    }
    underWay.push(sendPayment(putEvents, `pay_${run}_${number + 1}`, 2 + (number % 2), demo));
    await Promise.race([delay(PAYMENT_EVERY_MS, undefined, { signal }), ...underWay.map(failureOnly)]);
  }
  return (await Promise.all(underWay)).reduce((sum, count) => sum + count, 0);
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

/** Until each subscription has this number of messages that ended, and all circuits are closed; or for a while. */
async function untilSettled(api: Partner, eventCount: number, signal: AbortSignal): Promise<void> {
  const endsAt = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const subscriptions = await api.subscriptions();
    const messages = await Promise.all(
      subscriptions.map(({ subscription_id }) => api.allMessages(subscription_id)),
    );
    const isSettled =
      subscriptions.every(({ circuit }) => circuit.state === 'closed') &&
      messages.every((all) => all.filter(({ ended_at }) => ended_at !== undefined).length >= eventCount);
    if (isSettled || Date.now() > endsAt) {
      return;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function inTheEnd(api: Partner, receivers: Receivers, { outputs, colors }: Demo): Promise<string> {
  const subscriptions = await api.subscriptions();
  const endpoints = await Promise.all(
    subscriptions
      .filter(({ description }) => receivers.names.includes(description))
      .map(async ({ subscription_id, description: name }) => ({
        name,
        messages: await api.allMessages(subscription_id),
        receipts: await receivers.receipts(name),
      })),
  );
  return [
    '',
    colors.bold('What came of it'),
    ...summaryOf(endpoints),
    '  Time to send is the median from intake to the first attempt, without waits for an endpoint or an earlier message.',
    ...nextSteps(outputs, await api.consoleLink(), colors),
  ].join('\n');
}

function nextSteps({ apiUrl }: LocalOutputs, consoleLink: string, colors: Colors): string[] {
  const commands = [
    [
      'See it in a browser (the link works once, within ten minutes; the next one comes with `portal`)',
      consoleLink,
    ],
    ['', 'npm run webhooks -- portal --manage'],
    ['Send more payments', 'npm run ops -- send --payments 20 --rate 10'],
    [
      'Register your own endpoint (docs/receiving.md has a receiver; the signing secret is shown only once)',
      "npm run webhooks -- create http://localhost:8080/webhooks --description mine --event-type '*'",
    ],
    ['List subscriptions and all other commands', 'npm run webhooks -- list'],
    ['', 'npm run webhooks -- --help'],
    ['Read about the HTTP API', `${apiUrl}/v1/docs`],
  ] as const;
  const lines = commands.flatMap(([title, command]) => [
    ...(title === '' ? [] : ['', colors.bold(title)]),
    `  ${command}`,
  ]);
  return [...lines, '', 'Deliveries appear here until you press Ctrl-C.', ''];
}
