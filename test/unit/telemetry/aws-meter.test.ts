import type { MeteredLine } from '../../../functions/telemetry/aws-meter-line.ts';
import { meterVariables } from '../../../functions/telemetry/aws-meter-line.ts';
import { awsMeter } from '../../../functions/telemetry/aws-meter-recorder.ts';
import { sharedCpu } from '../../../functions/telemetry/aws-meter-work.ts';

type Args = { readonly input: object };
type Send = (args: Args) => Promise<{ output: object }>;

const WORK = {
  begin: () => () => ({ cpu_ms: 3, event_loop_delay_ms: 1, gc_ms: 0.5 }),
  sinceStart: () => ({ init_ms: 150, init_cpu_ms: 120 }),
};

/** A client that answers at once and records its calls. */
function clientOf(clientName: string, answer: (input: object) => object) {
  const asked: object[] = [];
  let around: (next: Send, context: object) => Send = (next) => next;
  const send = (commandName: string, input: object) =>
    around(
      async (args) => {
        asked.push(args.input);
        return { output: answer(args.input) };
      },
      { clientName, commandName },
    )({ input });
  const middlewareStack = {
    add: (middleware: typeof around) => {
      around = middleware;
    },
  };
  return { middlewareStack, send, asked };
}

function meterOf(env: Record<string, string> = {}) {
  const lines: MeteredLine[] = [];
  let nowMs = 1_000;
  const meter = awsMeter({
    env: { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024', ...env },
    work: WORK,
    now: () => nowMs,
    write: (line) => lines.push(line),
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ...meter, lines, pass };
}

test('only stages with the load lab meter their functions', () => {
  expect(meterVariables({ loadLab: true })).toEqual({ AWS_METER: 'on' });
  expect(meterVariables({ loadLab: false })).toEqual({});
});

test('DynamoDB calls return their capacity, listed by table and index under the names of the environment', async () => {
  const { meteredClient, metered, lines } = meterOf({ HISTORY_TABLE: 'payhooks-History-1' });
  const client = clientOf('DynamoDBClient', () => ({
    $metadata: { attempts: 1 },
    ConsumedCapacity: [
      {
        TableName: 'payhooks-History-1',
        CapacityUnits: 7,
        GlobalSecondaryIndexes: { by_payment: { CapacityUnits: 2 }, waiting: { CapacityUnits: 1 } },
      },
    ],
  }));
  const { send } = meteredClient(client);
  await metered(() => send('BatchWriteItemCommand', { RequestItems: {} }))();
  expect(client.asked).toEqual([{ RequestItems: {}, ReturnConsumedCapacity: 'INDEXES' }]);
  expect(lines).toMatchObject([
    {
      calls: { 'dynamodb:BatchWriteItem': 1 },
      write_units: { HISTORY_TABLE: 4, 'HISTORY_TABLE.by_payment': 2, 'HISTORY_TABLE.waiting': 1 },
      read_units: {},
    },
  ]);
});

test.each(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'])(
  '%s counts as a read',
  async (operation) => {
    const { meteredClient, metered, lines } = meterOf();
    const { send } = meteredClient(
      clientOf('DynamoDBClient', () => ({ ConsumedCapacity: { TableName: 'a', CapacityUnits: 1.5 } })),
    );
    await metered(() => send(`${operation}Command`, {}))();
    expect(lines).toMatchObject([{ read_units: { a: 1.5 }, write_units: {} }]);
  },
);

test('a batch to a queue is one request per 64 KB chunk, and a deletion is one', async () => {
  const { meteredClient, metered, lines } = meterOf({ DELIVERIES_QUEUE_URL: 'https://q/deliveries.fifo' });
  const { send } = meteredClient(clientOf('SQSClient', () => ({})));
  const of = (...sizes: number[]) => ({
    QueueUrl: 'https://q/deliveries.fifo',
    Entries: sizes.map((size) => ({ MessageBody: 'x'.repeat(size) })),
  });
  await metered(async () => {
    await send('SendMessageBatchCommand', of(65_536));
    await send('SendMessageBatchCommand', of(65_536, 1));
    await send('DeleteMessageBatchCommand', of(0, 0));
  })();
  expect(lines).toMatchObject([
    {
      calls: { 'sqs:SendMessageBatch': 2, 'sqs:DeleteMessageBatch': 1 },
      queue_requests: { DELIVERIES_QUEUE_URL: 1 + 2 + 1 },
    },
  ]);
});

test('each entry on the bus is an event', async () => {
  const { meteredClient, metered, lines } = meterOf();
  const { send } = meteredClient(clientOf('EventBridgeClient', () => ({})));
  await metered(() =>
    send('PutEventsCommand', { Entries: [{ Detail: '{}' }, { Detail: 'é'.repeat(40_000) }] }),
  )();
  expect(lines).toMatchObject([{ calls: { 'eventbridge:PutEvents': 1 }, events: 3 }]);
});

test('retries of the SDK count, and so do failed calls, without capacity units', async () => {
  const { meteredClient, metered, lines } = meterOf();
  const { send } = meteredClient(
    clientOf('SQSClient', () => {
      throw Object.assign(new Error('refused'), { $metadata: { attempts: 3 } });
    }),
  );
  await expect(metered(() => send('SendMessageBatchCommand', {}))()).rejects.toThrow('refused');
  expect(lines).toMatchObject([
    { calls: { 'sqs:SendMessageBatch': 3 }, failed_calls: 1, queue_requests: {} },
  ]);
});

test('an invocation with one record lists the steps of its delivery, including the call to the partner', async () => {
  const { meteredClient, meteredCall, metered, lines, pass } = meterOf();
  const { send } = meteredClient(
    clientOf('DynamoDBClient', () => {
      pass(5);
      return {};
    }),
  );
  const post = meteredCall('partner: POST', async () => pass(200));
  const handler = metered(async (_: object) => {
    pass(1);
    await send('BatchGetItemCommand', {});
    await post();
  });
  await handler({ Records: [{ body: 'four' }] });
  expect(lines).toEqual([
    {
      invocation: 1,
      records: 1,
      record_size: 4,
      memory_mib: 1024,
      duration_ms: 206,
      cpu_ms: 3,
      event_loop_delay_ms: 1,
      gc_ms: 0.5,
      init_ms: 150,
      init_cpu_ms: 120,
      calls: { 'dynamodb:BatchGetItem': 1 },
      queue_requests: {},
      events: 0,
      write_units: {},
      read_units: {},
      steps: [
        { call: 'dynamodb:BatchGetItem', at_ms: 1, took_ms: 5 },
        { call: 'partner: POST', at_ms: 6, took_ms: 200 },
      ],
    },
  ]);
});

test('records are counted by service, from a queue and from the stream of the history', async () => {
  const { metered, lines } = meterOf();
  const handler = metered(async (_: object) => {});
  const inside = JSON.stringify({ service_id: 'inside' });
  await handler({
    Records: [
      { body: JSON.stringify({ resource: inside, service_id: 'shop', message_id: 'msg_1' }) },
      { body: '{"detail-type":"payment", "detail": {"service_id": "shop"}}' },
      { body: JSON.stringify({ v: 1, kind: 'circuit', service_id: 'other' }) },
      { dynamodb: { NewImage: { service_id: { S: 'shop' } } } },
      { dynamodb: {} },
    ],
  });
  await handler({ source: 'aws.scheduler' });
  expect(lines.map(({ services }) => services)).toEqual([{ shop: 3, other: 1 }, undefined]);
});

test('each invocation is counted separately, and only the first includes the cold start', async () => {
  const { meteredClient, metered, lines } = meterOf();
  const { send } = meteredClient(clientOf('SQSClient', () => ({})));
  const handler = metered(async (_: object) => send('SendMessageBatchCommand', {}));
  await handler({ Records: [{}, {}] });
  await handler({ Records: [{}, {}] });
  expect(
    lines.map(({ invocation, init_ms, calls, steps }) => ({ invocation, init_ms, calls, steps })),
  ).toEqual([
    { invocation: 1, init_ms: 150, calls: { 'sqs:SendMessageBatch': 1 }, steps: undefined },
    { invocation: 2, init_ms: undefined, calls: { 'sqs:SendMessageBatch': 1 }, steps: undefined },
  ]);
});

test('concurrent invocations are counted separately, in any order of their calls', async () => {
  const { meteredClient, meteredCall, metered, lines, pass } = meterOf();
  const { send } = meteredClient(clientOf('SQSClient', () => ({})));
  const post = meteredCall('partner: POST', async () => pass(1));
  const handler = metered(async ({ Records: [{ body }] }: { Records: [{ body: string }] }) => {
    for (let call = 0; call < body.length; call += 1) {
      await new Promise(setImmediate);
      await send('SendMessageBatchCommand', {});
    }
    await post();
  });
  await Promise.all(['x', 'xxx', 'xx'].map((body) => handler({ Records: [{ body }] })));
  expect(
    lines.map(({ invocation, record_size, calls, steps, init_ms }) => [
      invocation,
      record_size,
      calls['sqs:SendMessageBatch'],
      steps?.length,
      init_ms,
    ]),
  ).toEqual([
    [1, 1, 1, 2, 150],
    [3, 2, 2, 3, undefined],
    [2, 3, 3, 4, undefined],
  ]);
});

test('a call outside any invocation is not counted', async () => {
  const { meteredClient, meteredCall, metered, lines } = meterOf();
  const { send } = meteredClient(clientOf('SQSClient', () => ({})));
  await send('SendMessageBatchCommand', {});
  await meteredCall('partner: POST', async () => {})();
  await metered(async (_: object) => {})({});
  expect(lines).toMatchObject([{ calls: {} }]);
});

test('concurrent invocations share the CPU of the process, and the shares add up to all of it', () => {
  let used = 0;
  const { begin } = sharedCpu(() => used);
  used = 5;
  const first = begin();
  used = 15;
  const second = begin();
  used = 35;
  expect(first()).toBe(10 + 10);
  used = 40;
  expect(second()).toBe(10 + 5);
  used = 100;
  const alone = begin();
  used = 103;
  expect(alone()).toBe(3);
});

test('when off, the meter returns handlers, clients and calls unchanged', async () => {
  const { metered, meteredClient, meteredCall } = await import('../../../functions/telemetry/aws-meter.ts');
  const handler = async () => {};
  const client = clientOf('SQSClient', () => ({}));
  expect(metered(handler)).toBe(handler);
  expect(meteredClient(client)).toBe(client);
  expect(meteredCall('partner: POST', handler)).toBe(handler);
});
