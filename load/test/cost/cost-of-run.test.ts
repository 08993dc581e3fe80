import { json } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { type Loopback, loopback } from '../../../test/support/network/dead-address.ts';
import { runMeter } from '../../cost/cost-of-run.ts';
import { meteredLine } from '../builders.ts';

let server: Loopback | undefined;
afterEach(() => server?.stop());

interface Input {
  readonly ExpressionAttributeValues?: object;
}
type Answers = Readonly<Record<string, (input: Input) => object>>;

/** An AWS with one log group, whose lines are these, and a history. */
async function awsWith(lines: readonly string[], answers: Answers) {
  const known: Answers = {
    DescribeLogGroups: () => ({ logGroups: [{ logGroupName: 'payhooks-test-pipeline-1' }] }),
    FilterLogEvents: () => ({
      events: lines.map((message, index) => ({ eventId: `${index}`, timestamp: 1, message })),
    }),
    ...answers,
  };
  server = await loopback(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const answer = known[operation]?.((await json(request)) as Input);
    response.statusCode = answer === undefined ? 400 : 200;
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify(answer ?? { __type: 'AccessDeniedException', message: 'may not read' }));
  });
  return {
    name: 'test',
    environment: { AWS_ENDPOINT_URL: server.url },
    history: { client: new DynamoDBClient(clientConfig(server.url)), table: 'history' },
  };
}

const text = (line: object) => JSON.stringify({ message: 'invocation.metered', ...line });
const LINES = [
  text(meteredLine({ service: 'match', records: 2, services: { ours: 2 } })),
  text(
    meteredLine({ service: 'deliver', records: 2, services: { ours: 2 }, write_units: { HISTORY_TABLE: 4 } }),
  ),
  text(
    meteredLine({
      service: 'wake',
      records: 4,
      services: { theirs: 4 },
      write_units: { ORDERING_KEYS_TABLE: 8 },
    }),
  ),
  'x'.repeat(274),
];

const RUN = {
  deliveries: 2,
  messages: ['msg_1', 'msg_2'].map((messageId) => ({ messageId })),
  services: new Set(['ours']),
  receipts: [
    { webhook_id: 'msg_1', size_bytes: 1_000 },
    { webhook_id: 'msg_1', size_bytes: 1_000 },
    { webhook_id: 'msg_2', size_bytes: 2_000 },
    { webhook_id: 'msg_of_the_warm_up', size_bytes: 2_000 },
  ],
};

test('a run pays for its own deliveries; work for others, storage and egress are separate', async () => {
  // 100 bytes of each item for itself, and its attributes.
  const stored: Record<string, object[]> = {
    1: [{ a: { S: 'x'.repeat(899) } }, { a: { S: 'x'.repeat(399) } }],
    2: [{ a: { S: 'x'.repeat(899) } }, { a: { S: 'x'.repeat(1_399) } }],
  };
  const stage = await awsWith(LINES, {
    Query: ({ ExpressionAttributeValues }) => {
      const { ':payment': payment } = ExpressionAttributeValues as { ':payment': { S: string } };
      return { Items: stored[payment.S] ?? [] };
    },
  });
  const meter = runMeter(stage);
  meter.start();
  meter.stop();
  const { cost, remarks } = await meter.read(RUN);
  expect(cost).toMatchObject({
    write_units_per_delivery: 2,
    others: { wake: 4 / 4 },
    beside: {
      stored_month: { bytes_per_delivery: 2_000, per_million: 0.5 },
      egress: { bytes_per_delivery: 2_000, per_million: 0.18 },
    },
  });
  // Of 300 bytes of other lines two of three invocations' share, for two deliveries.
  expect(cost?.by_service.logs).toBe(0.05);
  expect(cost?.by_service.dynamodb).toBe(1.25);
  expect(remarks).toEqual([]);
});

test('an unreadable history is a remark, and the run keeps its price', async () => {
  const stage = await awsWith(LINES, {});
  const { cost, remarks } = await runMeter(stage).read(RUN);
  expect(cost?.beside).toEqual({ egress: { bytes_per_delivery: 2_000, per_million: 0.18 } });
  expect(remarks).toEqual(['Could not read what a delivery stores: may not read']);
});

test('a run without deliveries has no price', async () => {
  const stage = await awsWith(LINES, {});
  expect(await runMeter(stage).read({ ...RUN, deliveries: 0 })).toEqual({ remarks: [] });
});
