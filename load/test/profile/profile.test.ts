import { readCommand } from '../../../cli/terminal/run-commands.ts';
import { usedBy } from '../../cost/usage.ts';
import { costTable } from '../../profile/profile-cost.ts';
import { paymentResource } from '../../profile/stand-ins/payment-resource.ts';
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

test('the payments of a profile have a resource of 1 KB', () => {
  const bytes = Buffer.byteLength(JSON.stringify(paymentResource('profile_1a2b3c_1', 1)));
  expect(bytes).toBeGreaterThan(950);
  expect(bytes).toBeLessThanOrEqual(1_024);
});

test('an unknown profile is refused, naming the known ones', () => {
  const read = (...args: string[]) => readCommand(LOAD_TOOLS, ['profile', ...args]);
  expect(read('deliver')).toMatchObject({ given: { what: 'deliver', seconds: 20 } });
  expect(() => read('api')).toThrow('Must be one of cost, deliver');
});
