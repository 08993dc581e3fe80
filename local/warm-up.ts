import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Partner, partner } from '../cli/partner/partner.ts';
import { bus, type PutEvents, publish } from '../cli/publisher/publish.ts';
import { type SampleType, samplePayment, sampleTypes } from '../cli/publisher/sample-payments.ts';
import { deployedTypes } from '../cli/stage/deployed-types.ts';
import { clientConfig } from '../cli/stage/local-account.ts';
import type { LocalOutputs } from '../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../functions/api/authorize/create-token.ts';
import { startWarmUpEndpoint, type WarmUpEndpoint } from './warm-up-endpoint.ts';

/**
 * V8 compiles the code of a delivery after a few hundred of them; until then, each takes up to ten times the
 * CPU.
 */
const PAYMENTS = 300;
/** Payments at a time: with more, the endpoint would seem unable to keep up. */
const WAVE = 10;
const GIVE_UP_AFTER_MS = 10_000;

/** A service of its own, to leave no trace among the user's subscriptions and messages. */
const SERVICE_ID = 'warm_up';

/**
 * Warms up a newly deployed stack, with events of its own types.
 *
 * @throws ExplainedError when no event of its types can be made up
 * @throws RefusedError when it takes no endpoint on this machine
 */
export async function warmUpStack(
  {
    endpoint: url,
    apiUrl,
    busName,
    tables,
  }: Pick<LocalOutputs, 'endpoint' | 'apiUrl' | 'busName' | 'tables'>,
  signal: AbortSignal,
): Promise<void> {
  const types = sampleTypes(await deployedTypes(apiUrl));
  const store = new DynamoDBClient(clientConfig(url));
  const events = new EventBridgeClient(clientConfig(url));
  const endpoint = await startWarmUpEndpoint();
  try {
    const tokens = apiTokenTable(store, tables.apiTokens);
    const { token } = await createToken(tokens, { serviceId: SERVICE_ID, expiresInDays: 1 });
    await warmUp(partner({ apiUrl, token }, signal), bus(events, busName), endpoint, { types, signal });
  } finally {
    endpoint.stop();
    store.destroy();
    events.destroy();
  }
}

/**
 * Sends payments to a temporary subscription, so that the functions of the pipeline have processes with
 * compiled code before anybody measures or watches. Gives up in the end: what is cold then stays cold.
 */
export async function warmUp(
  api: Pick<Partner, 'subscribe' | 'messages' | 'unsubscribe'>,
  putEvents: PutEvents,
  endpoint: Pick<WarmUpEndpoint, 'url' | 'seen' | 'accepted'>,
  given: {
    /** Of the events. */
    readonly types: readonly SampleType[];
    readonly signal: AbortSignal;
    readonly giveUpAfterMs?: number;
  },
): Promise<void> {
  const { types, signal, giveUpAfterMs = GIVE_UP_AFTER_MS } = given;
  const { subscription_id } = await api.subscribe({
    callback_url: endpoint.url,
    description: 'warm-up',
    event_types: ['*'],
    live: false,
  });
  const deadline = performance.now() + giveUpAfterMs;
  const isTimeLeft = () => performance.now() < deadline;
  for (let sent = 0; sent < PAYMENTS && isTimeLeft(); ) {
    await publish(payments(sent, WAVE, types), putEvents);
    sent += WAVE;
    while (endpoint.seen() < sent && isTimeLeft()) await delay(5, undefined, { signal });
  }
  while (endpoint.accepted() < PAYMENTS && isTimeLeft()) await delay(20, undefined, { signal });
  await api.messages(subscription_id);
  await api.unsubscribe(subscription_id);
}

function payments(first: number, count: number, types: readonly SampleType[]) {
  return Array.from({ length: count }, (_, index) =>
    samplePayment({
      serviceId: SERVICE_ID,
      paymentId: `warm_${first + index}`,
      types,
      eventCount: 1,
      startedAt: new Date(),
    }),
  ).flat();
}
