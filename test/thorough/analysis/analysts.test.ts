import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { localAccess } from '../../../cli/stage/stage-access.ts';
import {
  orderingKeyAddress,
  orderingKeyItem,
} from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { Cell } from '../../../functions/core/analysis/analysis-table.ts';
import { paymentHash } from '../../../functions/core/message/message.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { type ScriptedPartner, scriptedPartner } from '../../support/network/scripted-partner.ts';
import { ops } from '../../support/operator-run.ts';

type Row = Record<string, unknown>;
type Placeholder = 'subscription' | 'since';

/** A service with one subscription, and its role in this test. */
interface Partner {
  readonly service: Service;
  readonly id: string;
}

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/analysts.md'), 'utf8');
const FENCE = /```sql\n([\s\S]*?)```/g;

const sections = page.split(/^###? /m).map((section) => ({
  question: section.slice(0, section.indexOf('\n')),
  section,
}));

/** The SQL statement of each question of the page. */
const statements = new Map(
  sections.flatMap(({ question, section }) =>
    [...section.matchAll(FENCE)].map(([, statement = '']) => [question, statement] as const),
  ),
);
/** The conditions that the text below a statement offers to add. */
const additions = sections.flatMap(({ question, section }) =>
  statements.has(question)
    ? [...section.matchAll(/`((?:AND|ORDER BY) [^`]+)`/g)].map(([, more = '']) => [question, more] as const)
    : [],
);
/** The shell commands below each heading. */
const commands = new Map(
  sections.flatMap(({ question, section }) => {
    const blocks = [...section.matchAll(/```sh aws\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    return blocks.length === 0 ? [] : [[question, blocks.join('')] as const];
  }),
);

let analyst: DynamoDBClient;
let endpoints: ScriptedPartner;
/** Healthy, except that it refuses the first event of one payment. */
let shop: Partner;
/** A subscription of the shop that gets nothing. */
let quiet: string;
/** Refuses everything for good. */
let refusing: Partner;
/** Answers everything with 500. */
let broken: Partner;
/** More than open a circuit. */
const BROKEN_PAYMENTS = 22;
let held: string;
const since = new Date(Date.now() - 60_000).toISOString();
const STUCK = 'sub_stuck.pay-stuck';

beforeAll(async () => {
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
  quiet = (await shop.service.subscribe(endpoints.url('shop'), { event_types: ['card_payment_refunded'] }))
    .id;
  held = `pay-held-${shop.service.serviceId.slice(4, 12)}`;
  await stack.publish(
    ...Array.from({ length: BROKEN_PAYMENTS }, () => happening(broken.service)),
    happening(refusing.service),
    happening(shop.service),
    happening(shop.service, { payment_id: held, resource: { step: 1 } }),
    happening(shop.service, { payment_id: held, resource: { step: 2 } }),
  );
  const { body: ping } = await refusing.service.call('POST', `/subscriptions/${refusing.id}/ping`, {
    sample_of: 'card_payment_captured',
  });
  await eventually('the sample on record', async () => {
    const { attempt_count } = await refusing.service.message(ping.message_id);
    return attempt_count === 1;
  });
  await stack.dynamodb.send(
    new PutItemCommand({
      TableName: stack.outputs.tables.orderingKeys,
      Item: marshall(
        orderingKeyItem({
          ordering_key: STUCK,
          service_id: 'nobody',
          subscription_id: 'sub_stuck',
          payment_id: 'pay-stuck',
          revision: 1,
          oldest_since: since,
          state: 'stuck',
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
      TableName: stack.outputs.tables.orderingKeys,
      Key: marshall(orderingKeyAddress(STUCK)),
    }),
  );
  await endpoints?.stop();
  analyst?.destroy();
});

/** Runs a question's statement as an analyst, page by page. */
async function runStatement(
  question: string,
  values: Partial<Record<Placeholder, string>> = {},
  more = '',
): Promise<Row[]> {
  const { history, statistics, orderingKeys, subscriptions } = stack.outputs.tables;
  const known: Record<string, string> = {
    ...{ History: history, Statistics: statistics, OrderingKeys: orderingKeys, Subscriptions: subscriptions },
    ...values,
  };
  const Statement = `${statements.get(question) ?? ''} ${more}`.replaceAll(/\{(\w+)\}/g, (_, name) => {
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

/** For each question of the page: whether the answer contains this test's data. */
const ANSWERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'Which payments wait for a retry?': () =>
    eventually('the payment that is retried', async () => {
      const rows = await runStatement('Which payments wait for a retry?');
      return rows.find(
        (row) =>
          row.payment_id === held &&
          row.service_id === shop.service.serviceId &&
          String(row.oldest_since) >= since &&
          String(row.due_at) > since,
      );
    }),
  'Whose circuit is open?': () =>
    eventually('the circuit of the broken partner', async () => {
      const rows = await runStatement('Whose circuit is open?');
      const circuit = rows.find((row) => row.subscription_id === broken.id)?.circuit as Row | undefined;
      return ['open', 'half_open'].includes(String(circuit?.state)) && String(circuit?.since) > since;
    }),
  'Which payments are in the backlog of a subscription?': () =>
    eventually('payments in the order in which they joined the backlog', async () => {
      const rows = await runStatement('Which payments are in the backlog of a subscription?', {
        subscription: broken.id,
      });
      const values = rows.map((row) => String(row.backlogged_at));
      return rows.length >= 4 && values.join() === [...values].sort().join();
    }),
  'Which messages did a subscription get since a given time?': () =>
    eventually('the three messages of the shop', async () => {
      const rows = await runStatement('Which messages did a subscription get since a given time?', {
        subscription: shop.id,
        since,
      });
      const past = new Date(Date.now() + 60_000).toISOString();
      const none = await runStatement('Which messages did a subscription get since a given time?', {
        subscription: shop.id,
        since: past,
      });
      return (
        rows.length === 3 && rows.some(({ state }) => state === 'succeeded') && none.length === 0 && rows
      );
    }),
  'Which payments wait for an operator?': () =>
    eventually('the stuck payment', async () => {
      const rows = await runStatement('Which payments wait for an operator?');
      return rows.some(
        (row) => row.payment_id === 'pay-stuck' && row.explanation === 'its record cannot be read',
      );
    }),
};

test('every statement of the page is tested below, and no other', () => {
  expect([...statements.keys()].sort()).toEqual(Object.keys(ANSWERS).sort());
  expect([...page.matchAll(FENCE)]).toHaveLength(statements.size);
});

// A retry is pending for half a minute only, so its question comes first.
test.each(Object.entries(ANSWERS))('an analyst learns: %s', async (_, isAnswered) => {
  expect(await isAnswered()).toBeTruthy();
});

test.each(additions)('the statement of "%s" may be followed by %s', async (question, more) => {
  const values = { since, subscription: broken.id };
  await expect(runStatement(question, values, more)).resolves.toEqual(expect.any(Array));
});

const hasTools = ['aws', 'jq'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

/** The output of a command of the page, for an analyst who has set its variables. */
async function printed(question: string, partner: () => Partner, payment = ''): Promise<string> {
  const { credentials } = await configAs('Analyst', stack.outputs.endpoint);
  const shell = spawn(
    'bash',
    ['--norc', '-c', `${commands.get('How to get in')}\n${commands.get(question)}`],
    {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        STAGE: 'local',
        AWS_ENDPOINT_URL: stack.outputs.endpoint,
        AWS_REGION: stack.outputs.region,
        AWS_DEFAULT_REGION: stack.outputs.region,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_SESSION_TOKEN: credentials.sessionToken,
        SERVICE: partner().service.serviceId,
        SUBSCRIPTION: partner().id,
        PAYMENT: payment,
        SINCE: since,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return text(shell.stdout);
}

/** For each question that a command answers: whether the output is right. */
const PRINTED: Readonly<Record<string, () => Promise<unknown>>> = {
  'Which subscriptions does a service have?': async () => {
    const lines = await printed('Which subscriptions does a service have?', () => shop);
    expect(lines).not.toContain('callback_url');
    return [shop.id, quiet].every((id) =>
      new RegExp(`"subscription_id":"${id}","state":"active",.*"circuit":"closed",.*"event_types":\\["`).test(
        lines,
      ),
    );
  },
  'What was captured, and never acknowledged by a partner?': async () => {
    const lines = await printed('What was captured, and never acknowledged by a partner?', () => refusing);
    return lines.includes('"state":"exhausted"') && lines.includes('"last_status_code":400');
  },
  'What happened to a payment?': async () => {
    const lines = await printed('What happened to a payment?', () => shop, held);
    const rows = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return (
      rows.length === 2 &&
      rows.every((row) => row.subscription_id === shop.id && row.event_type === 'card_payment_captured') &&
      rows[0].attempt_count !== 0 &&
      rows[0].time_to_send_ms > 0 &&
      rows[0].order_number < rows[1].order_number
    );
  },
  'Which messages of a subscription wait, or were given up?': async () => {
    const lines = await printed('Which messages of a subscription wait, or were given up?', () => broken);
    const rows = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return rows.length === BROKEN_PAYMENTS && rows.every(({ admitted_at }) => admitted_at > since);
  },
  'What ended without success, in the whole stage?': async () => {
    const lines = await printed('What ended without success, in the whole stage?', () => shop);
    return lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .some(
        (row) =>
          row.subscription_id === refusing.id &&
          row.state_reason === 'aborted_by_receiver' &&
          row.last_status_code === 400 &&
          row.last_failure_class === 'http_status' &&
          /^msg_[\w-]{40}$/.test(row.message_id),
      );
  },
  'What did a partner see of a payment, in order?': async () =>
    /^\S+\tcard_payment_captured\t1\t503\t\d+\n\S+\tcard_payment_captured\t2\t503\t/.test(
      await printed('What did a partner see of a payment, in order?', () => shop, held),
    ),
  'Which partners are slowest?': async () => {
    const lines = await printed('Which partners are slowest?', () => shop);
    // A sample was attempted, too, and does not count.
    const isOneOfRefusing = new RegExp(`\t${refusing.id}\t1(\t\\d+){3}`).test(lines);
    return isOneOfRefusing && [shop, broken].every(({ id }) => new RegExp(`\t${id}(\t\\d+){4}`).test(lines));
  },
  'What share was acknowledged within 60 s?': async () => {
    const line = await printed('What share was acknowledged within 60 s?', () => shop);
    const { messages, within_60_s, share } = JSON.parse(line);
    return messages === 3 && within_60_s >= 1 && share === within_60_s / messages;
  },
  'How far did an outage reach?': async () => {
    const line = await printed('How far did an outage reach?', () => broken);
    const { messages, payments, last_ended } = JSON.parse(line);
    return messages === BROKEN_PAYMENTS && payments === BROKEN_PAYMENTS && last_ended === 'not yet';
  },
};

test('every command of the page is tested below, and no other', () => {
  expect([...commands.keys()].slice(2)).toEqual(Object.keys(PRINTED));
});

(hasTools ? test : test.skip).each(Object.entries(PRINTED))(
  'a command tells an analyst: %s (needs aws and jq)',
  async (question, isPrinted) => {
    expect(await eventually(question, isPrinted)).toBeTruthy();
  },
);

/** What `ask` prints of the three partners, as an analyst: a row for each service and group. */
async function asked(question: string, by: string): Promise<Cell[][]> {
  const config = await configAs('Analyst', stack.outputs.endpoint);
  const access = async () => localAccess(stack.outputs, config);
  const { printed: lines } = await ops(['ask', question, '--by', `service,${by}`, '--json'], { access });
  const services = [shop, refusing, broken].map(({ service }) => service.serviceId);
  const { rows } = JSON.parse(lines) as { readonly rows: Cell[][] };
  return rows.filter(([service]) => services.includes(String(service)));
}

describe('what is counted of all partners is what their endpoints saw', () => {
  const answered = (endpoint: string, status: number) =>
    endpoints.arrivals(endpoint).filter((arrival) => arrival.status === status).length;
  const serviceIds = () => [shop, refusing, broken].map(({ service }) => service.serviceId);
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

  test('failures by reason', async () => {
    await eventually('all failures in the statistics', async () => {
      const [shopId, refusingId, brokenId] = serviceIds();
      // A sample was refused, too, and does not count.
      const seen = [
        [shopId, '503', answered('shop', 503)],
        [refusingId, '400', answered('refusing', 400) - 1],
        [brokenId, '500', answered('broken', 500)],
      ];
      return sorted(await asked('failures', 'status')).join() === sorted(seen).join();
    });
  });

  test('acknowledgements', async () => {
    await eventually('all acknowledgements in the statistics', async () => {
      const rows = await asked('acknowledgement', 'subscription');
      const acknowledged = rows.filter(([, , count]) => Number(count) > 0);
      const [[service, id, count, within, , p95] = []] = acknowledged;
      return (
        acknowledged.length === 1 &&
        [service, id].join() === [shop.service.serviceId, shop.id].join() &&
        count === answered('shop', 200) &&
        within === 1 &&
        Number(p95) > 0
      );
    });
  });

  test('what was never acknowledged', async () => {
    const rows = await asked('not-acknowledged', 'reason');
    const [, refusingId, brokenId] = serviceIds();
    expect(rows).toContainEqual([refusingId, 'http_status', 1, 0, 1, 0, expect.any(String)]);
    const ofBroken = rows.filter(([service]) => service === brokenId);
    expect(ofBroken.reduce((sum, [, , messages]) => sum + Number(messages), 0)).toBe(BROKEN_PAYMENTS);
  });
});

test('no answer contains the body of a webhook', async () => {
  const table = stack.outputs.tables.history;
  const Statement = `SELECT resource FROM "${table}"."by_subscription" WHERE subscription_id = 'x'`;
  await expect(analyst.send(new ExecuteStatementCommand({ Statement }))).rejects.toThrow('does not project');
  const { partitionKey } = historyTable;
  const whole = new QueryCommand({
    TableName: table,
    KeyConditionExpression: `${partitionKey} = :payment`,
    ExpressionAttributeValues: marshall({
      ':payment': paymentHash({ service_id: shop.service.serviceId, payment_id: held }),
    }),
  });
  await expect(analyst.send(whole)).rejects.toThrow('not authorized');
  const bodies = new QueryCommand({ ...whole.input, ProjectionExpression: 'resource' });
  await expect(analyst.send(bodies)).rejects.toThrow('not authorized');
  const course = new QueryCommand({ ...whole.input, ProjectionExpression: `${partitionKey}, attempt_count` });
  expect((await analyst.send(course)).Items).not.toEqual([]);
});
