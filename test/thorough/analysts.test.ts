import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  orderingKeyAddress,
  orderingKeyItem,
} from '../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { hourOf } from '../../functions/core/message/statistics.ts';
import { configAs } from '../support/assumed-role.ts';
import { type DeployedStack, deployedStack, type Service } from '../support/deployed-stack.ts';
import { eventually } from '../support/eventually.ts';
import { happening } from '../support/happening.ts';
import { type ScriptedPartner, scriptedPartner } from '../support/scripted-partner.ts';

type Row = Record<string, unknown>;
type Position = 'payment' | 'subscription' | 'day' | 'since';

/** One service with one subscription, and what it is for. */
interface Partner {
  readonly service: Service;
  readonly id: string;
}

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/analysts.md'), 'utf8');
const FENCE = /```sql\n([\s\S]*?)```/g;

/** The statement of each question of the page. */
const statements = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const question = section.slice(0, section.indexOf('\n'));
      return [...section.matchAll(FENCE)].map(([, text]) => [question, text as string] as const);
    }),
);

let stack: DeployedStack;
let analyst: DynamoDBClient;
let endpoints: ScriptedPartner;
/** All is well, but for a payment whose first event it refuses. */
let shop: Partner;
/** Will never take anything. */
let refusing: Partner;
/** Answers everything with 500. */
/** More than open a circuit. */
const BROKEN_PAYMENTS = 22;
let broken: Partner;
let held: string;
const since = new Date(Date.now() - 60_000).toISOString();
const FAULTED = 'sub_faulted.pay-faulted';

beforeAll(async () => {
  stack = await deployedStack();
  analyst = new DynamoDBClient(await configAs('Analyst', stack.outputs.endpoint));
  endpoints = await scriptedPartner(({ endpoint, step }) => {
    switch (endpoint) {
      case 'shop':
        return { status: step === 1 ? 503 : 200 };
      case 'refusing':
        return { status: 400, headers: { 'webhook-delivery': 'abort-message' } };
      default:
        return { status: 500 };
    }
  });
  const partner = async (endpoint: string): Promise<Partner> => {
    const service = await stack.newService();
    return { service, id: (await service.subscribe(endpoints.url(endpoint))).id };
  };
  shop = await partner('shop');
  refusing = await partner('refusing');
  broken = await partner('broken');
  held = `pay-held-${shop.service.serviceId.slice(4, 12)}`;
  await stack.publish(
    ...Array.from({ length: BROKEN_PAYMENTS }, () => happening(broken.service)),
    happening(refusing.service),
    happening(shop.service),
    happening(shop.service, { payment_id: held, resource: { step: 1 } }),
    happening(shop.service, { payment_id: held, resource: { step: 2 } }),
  );
  await stack.dynamodb.send(
    new PutItemCommand({
      TableName: stack.outputs.tables.keys,
      Item: marshall(
        orderingKeyItem({
          ordering_key: FAULTED,
          service_id: 'nobody',
          subscription_id: 'sub_faulted',
          payment_id: 'pay-faulted',
          revision: 1,
          oldest_since: since,
          state: 'fault',
          since,
          explanation: 'its record cannot be read',
        }),
      ),
    }),
  );
});
afterAll(async () => {
  await stack?.dynamodb.send(
    new DeleteItemCommand({
      TableName: stack.outputs.tables.keys,
      Key: marshall(orderingKeyAddress(FAULTED)),
    }),
  );
  await endpoints?.stop();
  analyst?.destroy();
  stack?.close();
});

/** Runs the statement of a question as an analyst does, page after page. */
async function asked(question: string, places: Partial<Record<Position, string>> = {}): Promise<Row[]> {
  const { history, statistics, keys, subscriptions } = stack.outputs.tables;
  const known: Record<string, string> = {
    ...{ History: history, Statistics: statistics, Keys: keys, Subscriptions: subscriptions },
    ...places,
  };
  const Statement = (statements.get(question) ?? '').replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = known[name];
    if (value === undefined) {
      throw new Error(`the statement of "${question}" has a place {${name}}, which nothing is put in`);
    }
    return value;
  });
  const rows: Row[] = [];
  let NextToken: string | undefined;
  do {
    const answer = await analyst.send(new ExecuteStatementCommand({ Statement, NextToken }));
    rows.push(...(answer.Items ?? []).map((item) => unmarshall(item)));
    NextToken = answer.NextToken;
  } while (NextToken !== undefined);
  return rows;
}

const UNSUCCESSFUL = () => ({ day: new Date().toISOString().slice(0, 10), since });

/** For each question of the page: what the history of this test answers. */
const ANSWERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'What is held behind what?': () =>
    eventually('an event that is tried again, and one behind it', async () => {
      const rows = await asked('What is held behind what?', { payment: held, subscription: shop.id });
      rows.sort((one, other) => String(one.order_number).localeCompare(String(other.order_number)));
      const states = rows.map((row) => `${row.state} ${row.state_reason ?? row.last_status_code}`);
      return states.join() === 'retrying 503,parked behind_earlier' && rows[0]?.next_attempt_at;
    }),
  'Who has messages waiting to be tried again, and since when?': () =>
    eventually('the payment that is tried again', async () => {
      const rows = await asked('Who has messages waiting to be tried again, and since when?');
      return rows.find(
        (row) =>
          row.payment_id === held &&
          row.service_id === shop.service.serviceId &&
          String(row.oldest_since) >= since &&
          String(row.due_at) > since,
      );
    }),
  'What happened to a payment?': () =>
    eventually('both events of the payment', async () => {
      const rows = await asked('What happened to a payment?', { payment: held });
      return (
        rows.length === 2 &&
        rows.every((row) => row.subscription_id === shop.id && row.event_type === 'card_payment_captured') &&
        rows[0]?.attempt_count !== 0 &&
        Number(rows[0]?.time_to_send_ms) > 0
      );
    }),
  'Which deliveries failed on a day, and why?': () =>
    eventually('the message that will never be taken', async () => {
      const rows = await asked('Which deliveries failed on a day, and why?', UNSUCCESSFUL());
      return rows.some(
        (row) =>
          row.subscription_id === refusing.id &&
          row.state_reason === 'aborted_by_receiver' &&
          row.last_status_code === 400 &&
          row.last_failure_class === 'http_status',
      );
    }),
  'Which messages were given up, and why?': () =>
    eventually('the message that was given up, and no cancelled one', async () => {
      const rows = await asked('Which messages were given up, and why?', UNSUCCESSFUL());
      return (
        rows.some((row) => row.subscription_id === refusing.id && row.attempt_count === 1) &&
        rows.every((row) => row.state_reason !== 'skipped' && row.state_reason !== 'deleted')
      );
    }),
  'Whose circuit is open?': () =>
    eventually('the circuit of whom nothing reaches', async () => {
      const rows = await asked('Whose circuit is open?');
      const circuit = rows.find((row) => row.subscription_id === broken.id)?.circuit as Row | undefined;
      return ['open', 'half_open'].includes(String(circuit?.state)) && String(circuit?.since) > since;
    }),
  'Which payments wait for a circuit?': () =>
    eventually('payments in the order in which they came into the line', async () => {
      const rows = await asked('Which payments wait for a circuit?', { subscription: broken.id });
      const places = rows.map((row) => String(row.parked_at));
      return rows.length >= 4 && places.join() === [...places].sort().join();
    }),
  'What waits for a subscription, and since when?': () =>
    eventually('all messages of whom nothing reaches', async () => {
      const rows = await asked('What waits for a subscription, and since when?', { subscription: broken.id });
      return rows.length === BROKEN_PAYMENTS && rows.every((row) => String(row.admitted_at) > since);
    }),
  'How did a subscription fare in the last hour?': () =>
    eventually('the three messages of the shop', async () => {
      const rows = await asked('How did a subscription fare in the last hour?', {
        subscription: shop.id,
        since,
      });
      const past = new Date(Date.now() + 60_000).toISOString();
      const none = await asked('How did a subscription fare in the last hour?', {
        subscription: shop.id,
        since: past,
      });
      return (
        rows.length === 3 && rows.some(({ state }) => state === 'succeeded') && none.length === 0 && rows
      );
    }),
  'Which messages of a subscription failed at their last attempt?': () =>
    eventually('the messages that were tried, and none that was not', async () => {
      const rows = await asked('Which messages of a subscription failed at their last attempt?', {
        subscription: broken.id,
        since,
      });
      return rows.length >= 5 && rows.every((row) => row.last_status_code === 500 && row.attempt_count !== 0);
    }),
  'What was delivered to a subscription, hour by hour?': () =>
    eventually('the message that was given up, in its hour', async () => {
      const rows = await asked('What was delivered to a subscription, hour by hour?', {
        subscription: refusing.id,
        since: hourOf(since),
      });
      return rows.some(
        ({ delivered, failed_attempts, exhausted }) =>
          `${[delivered, failed_attempts, exhausted]}` === '0,1,1',
      );
    }),
  'What waits for an operator?': () =>
    eventually('the payment that waits', async () => {
      const rows = await asked('What waits for an operator?');
      return rows.some(
        (row) => row.payment_id === 'pay-faulted' && row.explanation === 'its record cannot be read',
      );
    }),
};

test('every statement of the page is asked below, and nothing that the page does not have', () => {
  expect([...statements.keys()].sort()).toEqual(Object.keys(ANSWERS).sort());
  expect([...page.matchAll(FENCE)]).toHaveLength(statements.size);
});

// What is tried again is so for half a minute: these two come first.
test.each(Object.entries(ANSWERS))('an analyst learns: %s', async (_, isAnswered) => {
  expect(await isAnswered()).toBeTruthy();
});

test('what a webhook said is in none of the answers', async () => {
  for (const index of ['by_subscription', 'by_payment', 'unsuccessful', 'waiting']) {
    const Statement = `SELECT body FROM "${stack.outputs.tables.history}"."${index}" WHERE ${
      { by_subscription: 'subscription_id', by_payment: 'payment_id', unsuccessful: 'unsuccessful_on' }[
        index
      ] ?? 'waiting_for'
    } = 'x'`;
    await expect(analyst.send(new ExecuteStatementCommand({ Statement }))).rejects.toThrow(
      'does not project',
    );
  }
});
