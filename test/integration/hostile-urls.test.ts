import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { subscriptionsTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import type { Answer, Service } from '../support/deployed/deployed-stack.ts';
import { happening } from '../support/deployed/happening.ts';
import { eventually } from '../support/eventually.ts';
import type { Zone } from '../support/network/name-server.ts';
import { carelessClient } from './hostile/careless-client.ts';
import { hostileZone, PUBLIC_ADDRESS } from './hostile/names.ts';
import { type StrictStack, startStrictStack } from './hostile/strict-stack.ts';
import type { HostileUrl } from './hostile/subscriptions.ts';
import { subscribeUnvetted, type Unvetted } from './hostile/subscriptions.ts';
import { hostileUrls } from './hostile/urls.ts';

/** What the test can change while the stack runs. */
const zone: Zone = hostileZone();

type MadeAttempt = MessageView['attempts'][number];

let stack: StrictStack;
let urls: HostileUrl[];
let unvetted: Unvetted<HostileUrl>[];
let reachedBefore: number;

beforeAll(async () => {
  stack = await startStrictStack(zone);
  urls = hostileUrls(stack.listeners);
  unvetted = await subscribeUnvetted(stack, urls);
});
beforeEach(() => {
  reachedBefore = stack.listeners.connections();
});
afterAll(() => stack?.stop());

/** The parts of a refusal and of an attempt's record. */
const REASONS = {
  blocked_address:
    /The callback URL (must|is not a valid URL)|leads to an address that webhooks must not reach/,
  dns: /does not exist|has no address|could not be looked up/,
};

/** How many connections reached a listener since the test began. */
const reached = () => stack.listeners.connections() - reachedBefore;

/** The result of `something` for each URL, by what is wrong with the URL; several at a time. */
async function forEach<Row, Value>(
  rows: readonly Row[],
  ask: (row: Row) => Promise<Value>,
): Promise<Value[]> {
  const values = new Map<Row, Value>();
  const waiting = [...rows];
  const worker = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      values.set(row, await ask(row));
    }
  };
  await Promise.all(Array.from({ length: 5 }, worker));
  return rows.map((row) => values.get(row)!);
}

/**
 * What is said of a URL whose name can be looked up. The name server shares this process: what it was too
 * busy to answer in time is asked again.
 */
function lookedUp<Value>(
  { why, failureClass }: Pick<HostileUrl, 'why' | 'failureClass'>,
  ask: () => Promise<Value | false>,
): Promise<Value> {
  const isDecided = (value: Value) => failureClass === 'dns' || !JSON.stringify(value).includes('ETIMEOUT');
  return eventually(
    `what is said of ${why}`,
    async () => {
      const value = await ask();
      return value !== false && isDecided(value) && value;
    },
    { everyMs: 500 },
  );
}

test('there are at least sixty different hostile URLs', () => {
  expect(new Set(urls.map(({ url }) => url)).size).toBe(urls.length);
  expect(urls.length).toBeGreaterThanOrEqual(60);
});

test('a careless client reaches the listeners through every URL that is said to lead there', async () => {
  const call = carelessClient(stack.nameServer.address);
  const missed: string[] = [];
  for (const { why, url } of urls.filter(({ reachesListener }) => reachesListener)) {
    const before = stack.listeners.connections();
    await call(url);
    if (stack.listeners.connections() === before) {
      missed.push(`${why}: ${url}`);
    }
  }
  expect(missed).toEqual([]);
});

test('registration refuses each with its reason, and stores nothing of it', async () => {
  const service = await stack.newService();
  const answers = await forEach(urls, (row) =>
    lookedUp(row, () =>
      service.call('POST', '/subscriptions', {
        ...{ callback_url: row.url, description: row.why, event_types: ['*'], live: false },
      }),
    ),
  );
  expect(answers.map(answered)).toEqual(urls.map(refused));
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [] });
  expect(await itemsOf(service)).toEqual([]);
  expect(reached()).toBe(0);
});

test('delivery to each is a failed attempt that never reaches a listener', async () => {
  const services = [...new Set(unvetted.map(({ service }) => service))];
  await stack.publish(...services.map((service) => happening(service)));
  const attempts = await forEach(unvetted, ({ row, service, id }) =>
    lookedUp(row, async () => {
      const [summary] = (await service.call('GET', `/subscriptions/${id}/messages`)).body.messages;
      return summary !== undefined && lastAttempt(await service.message(summary.message_id));
    }),
  );
  expect(attempts.map(result)).toEqual(unvetted.map(failed));
  expect(reached()).toBe(0);
});

async function itemsOf({ serviceId }: Service) {
  const { Items = [] } = await stack.dynamodb.send(
    new QueryCommand({
      TableName: stack.outputs.tables.subscriptions,
      KeyConditionExpression: '#service = :service',
      ExpressionAttributeNames: { '#service': subscriptionsTable.partitionKey },
      ExpressionAttributeValues: marshall({ ':service': serviceId }),
    }),
  );
  return Items;
}

/** Answers and attempts are in the order of the URLs; `why` helps whoever reads a failure. */
function answered({ status, body }: Answer, index: number) {
  return { why: urls[index]?.why, status, said: JSON.stringify(body) };
}

function refused({ why, registration, failureClass }: HostileUrl) {
  const reason = registration === 400 ? /callback_url/ : REASONS[failureClass];
  return { why, status: registration, said: expect.stringMatching(reason) };
}

function lastAttempt({ attempts }: MessageView): MadeAttempt | false {
  return attempts.at(-1) ?? false;
}

function result({ failure_class, failure_reason, status_code }: MadeAttempt, index: number) {
  return { why: urls[index]?.why, failure_class, failure_reason, status_code };
}

function failed({ row: { why, failureClass } }: Unvetted<HostileUrl>) {
  const failure_reason = expect.stringMatching(REASONS[failureClass]);
  return { why, failure_class: failureClass, failure_reason, status_code: undefined };
}

test.each([
  ['resolves to the loopback at the attempt', ['127.0.0.1'], /^blocked_address$/],
  ['resolves to the IPv6 loopback at the attempt', ['::1'], /^blocked_address$/],
  [
    'resolves to the IPv4-mapped metadata address at the attempt',
    ['::ffff:169.254.169.254'],
    /^blocked_address$/,
  ],
  [
    'resolves to a public address when checked, and to the loopback a moment later',
    // Again and again: a question that is repeated on a busy machine takes an answer too.
    Array.from({ length: 50 }, () => [PUBLIC_ADDRESS, '127.0.0.1']).flat(),
    /^(connect|timeout)$/,
  ],
])('a name that was public at registration and %s leads nowhere', async (_, later, failureClass) => {
  const name = `changing-${Object.keys(zone).length}.hostile.test`;
  zone[name] = { addresses: [PUBLIC_ADDRESS] };
  const service = await stack.newService();
  const { id } = await service.subscribe(`https://${name}:${stack.listeners.port}/hooks`);
  const before = stack.nameServer.lookUps(name);
  expect(before).toBeGreaterThanOrEqual(1);

  const addresses = [...Array<string>(before).fill(PUBLIC_ADDRESS), ...later];
  zone[name] = addresses.map((address) => ({ addresses: [address] }));
  await stack.publish(happening(service));
  const [summary] = await service.messages(id, ({ length }) => length > 0);
  // Each attempt looks the name up anew, and some get no answer in time.
  await eventually(`an attempt to ${name} that ends as it must`, async () => {
    const { attempts } = await service.message(summary?.message_id ?? '');
    return attempts.some(({ failure_class }) => failureClass.test(failure_class ?? ''));
  });
  expect(stack.nameServer.lookUps(name)).toBeGreaterThan(before);
  expect(reached()).toBe(0);
});
