import { type Loopback, loopback } from '../../../test/support/network/dead-address.ts';
import { runMeter } from '../../cost/cost-of-run.ts';
import { meteredLine } from '../builders.ts';

let server: Loopback | undefined;
afterEach(() => server?.stop());

/** An AWS with one log group, whose lines are these. */
async function awsWith(lines: readonly string[]) {
  const answers: Readonly<Record<string, object>> = {
    DescribeLogGroups: { logGroups: [{ logGroupName: 'payhooks-test-pipeline-1' }] },
    FilterLogEvents: {
      events: lines.map((message, index) => ({ eventId: `${index}`, timestamp: 1, message })),
    },
  };
  server = await loopback((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify(answers[operation]));
  });
  return { name: 'test', environment: { AWS_ENDPOINT_URL: server.url } };
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
  services: new Set(['ours']),
};

test('a run pays for its own deliveries, not for work for others', async () => {
  const stage = await awsWith(LINES);
  const meter = runMeter(stage);
  meter.start();
  meter.stop();
  const { cost } = await meter.read(RUN);
  expect(cost).toMatchObject({
    write_units_per_delivery: 2,
  });
  // Of 300 bytes of other lines two of three invocations' share, for two deliveries.
  expect(cost?.by_service.logs).toBe(0.05);
  expect(cost?.by_service.dynamodb).toBe(1.25);
});

test('a run without deliveries has no price', async () => {
  const stage = await awsWith(LINES);
  expect(await runMeter(stage).read({ ...RUN, deliveries: 0 })).toEqual({});
});
