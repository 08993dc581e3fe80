import { readCommand } from '../../../cli/terminal/run-commands.ts';
import { answerOf } from '../../../test/support/side-by-side/queue-protocol.ts';
import { usedBy } from '../../cost/usage.ts';
import { memoryTable } from '../../profile/memory-model.ts';
import { tableOf } from '../../profile/profile-calls.ts';
import { costTable } from '../../profile/profile-cost.ts';
import { paymentResource } from '../../profile/stand-ins/payment-resource.ts';
import { batchOf } from '../../profile/stand-ins/records.ts';
import { LOAD_TOOLS } from '../../tools.ts';
import { meteredLine } from '../builders.ts';

const LINE = meteredLine({
  service: 'deliver',
  invocation: 1,
  records: 1,
  duration_ms: 213,
  cpu_ms: 8,
  write_units: { HISTORY_TABLE: 4 },
});

test('the stand-in queue accepts messages and passes them on as Lambda would', () => {
  const { json, sent } = answerOf(
    'SendMessageBatch',
    {
      QueueUrl: 'http://127.0.0.1/000000000000/deliveries.fifo',
      Entries: [{ Id: '0', MessageBody: '{}', MessageGroupId: 'key' }],
    },
    () => '17',
  );
  expect(json).toMatchObject({
    Successful: [{ Id: '0', MD5OfMessageBody: '99914b932bd37a50b983c5e7c90ae93b', SequenceNumber: '17' }],
    Failed: [],
  });
  expect(sent).toEqual([
    { queue: 'deliveries.fifo', body: '{}', group: 'key', orderNumber: '17', delaySeconds: 0 },
  ]);
  expect(batchOf(sent).Records).toMatchObject([
    {
      body: '{}',
      attributes: { ApproximateReceiveCount: '1', SequenceNumber: '17', MessageGroupId: 'key' },
    },
  ]);
});

test('the stand-in refuses unsupported operations', () => {
  expect(() => answerOf('PurgeQueue', {}, () => '1')).toThrow('the AWS stand-in does not support PurgeQueue');
});

test('the calls of a delivery are a table, in which the partner is not an AWS call', () => {
  const table = tableOf('warm', [
    {
      ...LINE,
      calls: { 'dynamodb:BatchGetItem': 1 },
      steps: [
        { call: 'dynamodb:BatchGetItem', at_ms: 0.2, took_ms: 5.4 },
        { call: 'partner: POST', at_ms: 6.2, took_ms: 201.5 },
      ],
    },
  ]);
  expect(table).toBe(`warm: 1 calls to AWS
         call                        start ms   took ms    CPU ms
deliver  dynamodb:BatchGetItem            0.2       5.4
deliver  partner: POST                    6.2     201.5
deliver  all                              0.0     213.0       8.0
`);
});

test('costs are printed side by side with the targets, storage and egress separately', () => {
  const used = usedBy([{ ...LINE, calls: { 'dynamodb:BatchGetItem': 2 } }], 0);
  const course = { deliveries: 1, used, egressBytes: 1_600, storedBytes: 2_000 };
  const table = costTable(
    [
      { name: 'full batches', course },
      { name: 'parked', course },
    ],
    200,
  );
  expect(table).toMatch(/^AWS calls by our code +2\.00 +2\.00 +<= 0\.6$/m);
  expect(table).toMatch(/^write units +4\.00 +4\.00 +<= 4$/m);
  // 0.213 GB-seconds and an invocation, a receive and a delete, 4 write units.
  expect(table).toMatch(/^US dollars per million +6\.54 +6\.54 +<= 5\.00$/m);
  expect(table).toMatch(/^messages per batch of deliver +1\.0 +1\.0$/m);
  expect(table).toMatch(/^duration of all functions, ms +213\.0 +213\.0$/m);
  expect(table).toMatch(/^GB-seconds of all functions +0\.2130 +0\.2130$/m);
  expect(table).toMatch(/^plus storage for a month +0\.50 +0\.50$/m);
  expect(table).toMatch(/^plus egress +0\.14 +0\.14$/m);
  expect(table).toContain(
    'full batches: lambda: GB-seconds of deliver $2.84, dynamodb: write units of history $2.50, sqs: Lambda reads deliveries $1.00',
  );
});

test('with less memory only the CPU part of a batch takes longer, and it costs less', () => {
  const used = usedBy([{ ...LINE, records: 10 }], 0);
  const course = { deliveries: 10, used, egressBytes: 0, storedBytes: 0 };
  const table = memoryTable([{ name: 'full batches', course }], 200);
  // 210 ms of waiting; 8 ms of CPU at a core, 3.46 times as long at 512 MiB.
  expect(table).toMatch(/^ +512 MiB +238 ms, 0\.0119 GB-s, \$0\.16$/m);
  expect(table).toMatch(/^ +1769 MiB +218 ms, 0\.0377 GB-s, \$0\.50$/m);
});

test('the payments of a profile have a resource of 1 KB', () => {
  const bytes = Buffer.byteLength(JSON.stringify(paymentResource('profile_1a2b3c_1', 1)));
  expect(bytes).toBeGreaterThan(950);
  expect(bytes).toBeLessThanOrEqual(1_024);
});

test('an unknown profile is refused, naming the known ones', () => {
  const read = (...args: string[]) => readCommand(LOAD_TOOLS, ['profile', ...args]);
  expect(read('deliver')).toMatchObject({ given: { what: 'deliver', seconds: 20, batch: 10 } });
  expect(() => read('api')).toThrow('<what>: must be one of calls, cost, deliver, match, not "api"');
  expect(() => read('deliver', '--batch', '11')).toThrow('--batch: must be a whole number from 1 to 10');
});
