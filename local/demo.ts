import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { deliveryFeed } from '../cli/partner/delivery-feed.ts';
import { type Partner, partner } from '../cli/partner/partner.ts';
import { type Colors, deliveryLine, FEED_TITLES } from '../cli/partner/text/delivery-line.ts';
import { bus, type PutEvents, publish } from '../cli/publisher/publish.ts';
import { samplePayment } from '../cli/publisher/sample-payments.ts';
import { runName } from '../cli/publisher/send-payments.ts';
import { clientConfig } from './local-account.ts';
import type { LocalOutputs } from './outputs.ts';

/** One subscription each, to an endpoint of the simulated receiver that behaves like this. */
const RECEIVERS = [
  { name: 'quick', settings: { delay_ms: 50 } },
  { name: 'slow', settings: { delay_ms: [1_000, 2_000] } },
  { name: 'shaky', settings: { delay_ms: [100, 300], failure_rate: 0.15, failure_status: 503 } },
] as const;

const PAYMENTS = 60;
const PAYMENT_EVERY_MS = 1_000;
const EVENT_EVERY_MS = 800;
const LOOK_EVERY_MS = 500;

interface Demo {
  readonly outputs: LocalOutputs;
  readonly colors: Colors;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Subscribes three receivers, sends a payment a second for a minute and prints the deliveries until aborted.
 */
export async function showDemo(demo: Demo): Promise<void> {
  const { outputs, colors, log, signal } = demo;
  const api = partner(outputs, signal);
  const putEvents = bus(new EventBridgeClient(clientConfig(outputs.endpoint)), outputs.busName);
  await subscribe(api, outputs);
  log('');
  log(colors.bold(FEED_TITLES));
  const traffic = sendTraffic(putEvents, demo).then(() => log(nextSteps(outputs, colors)));
  await Promise.all([traffic, printNews(api, demo)]);
}

async function subscribe(api: Partner, { receiverUrl }: LocalOutputs): Promise<void> {
  for (const { name, settings } of RECEIVERS) {
    const callback_url = `${receiverUrl}${name}`;
    const wanted = { callback_url, description: name, event_types: ['card_payment_*'], live: false };
    const { signing_secret: secret } = await api.subscribe(wanted);
    const answer = await fetch(`${callback_url}/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...settings, secret }),
    });
    if (!answer.ok) {
      throw new Error(`the receiver refused its settings: ${answer.status} ${await answer.text()}`);
    }
  }
}

async function sendTraffic(putEvents: PutEvents, { outputs, signal }: Demo): Promise<void> {
  const { serviceId } = outputs;
  const run = runName().slice(-4);
  const underWay: Promise<void>[] = [];
  for (let number = 0; number < PAYMENTS; number += 1) {
    const paymentId = `pay_${run}_${number + 1}`;
    const eventCount = 2 + (number % 2);
    const events = samplePayment({ serviceId, paymentId, number, eventCount, startedAt: new Date() });
    underWay.push(
      (async () => {
        for (const event of events) {
          await publish([event], putEvents);
          await delay(EVENT_EVERY_MS, undefined, { signal });
        }
      })(),
    );
    await Promise.race([delay(PAYMENT_EVERY_MS, undefined, { signal }), ...underWay.map(failureOnly)]);
  }
  await Promise.all(underWay);
}

/** Never resolves, so that in a race only a failure counts. */
function failureOnly(work: Promise<void>): Promise<never> {
  return work.then(() => new Promise<never>(() => {}));
}

async function printNews(api: Partner, { colors, log, signal }: Demo): Promise<void> {
  const news = deliveryFeed(api);
  for (;;) {
    for (const piece of await news()) {
      log(deliveryLine(piece, colors));
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

function nextSteps({ apiUrl }: LocalOutputs, colors: Colors): string {
  const commands = [
    ['Send more payments', 'npm run ops -- send --payments 20 --rate 10'],
    [
      'Register your own endpoint (docs/receiving.md has a receiver; the signing secret is shown only once)',
      "npm run webhooks -- create http://localhost:8080/webhooks --description mine --event-type 'card_payment_*'",
    ],
    ['List subscriptions and all other commands', 'npm run webhooks -- list'],
    ['', 'npm run webhooks -- --help'],
    ['See it in a browser: open the link that this prints', 'npm run webhooks -- portal --manage'],
    ['Read about the HTTP API', `${apiUrl}/v1/docs`],
  ] as const;
  const lines = commands.flatMap(([title, command]) => [
    ...(title === '' ? [] : ['', colors.bold(title)]),
    `  ${command}`,
  ]);
  return [...lines, '', 'Deliveries appear here until you press Ctrl-C.', ''].join('\n');
}
