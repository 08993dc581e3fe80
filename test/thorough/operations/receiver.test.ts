import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { type LabOutputs, labOf, readOutputs } from '../../../cli/stage/local-outputs.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import { receiverStore } from '../../../functions/load-lab/receiver/store/receiver-table.ts';
import { receiverTable } from '../../../functions/load-lab/receiver/store/table-keys.ts';
import { blockedOrderingKey } from '../../support/deployed/blocked-ordering-key.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { keepsThePromisesOfReceiverStore } from '../../unit/load-lab/receiver/store/store-contract.ts';

describe('receiver', () => {
  let outputs: LabOutputs;
  let client: DynamoDBClient;
  beforeAll(async () => {
    const stack = await readOutputs(process.env.PAYHOOKS_TEST_OUTPUTS);
    outputs = labOf(stack);
    client = new DynamoDBClient(clientConfig(stack.endpoint));
  });
  afterAll(() => client?.destroy());

  let instances = 0;
  function open() {
    instances += 1;
    return receiverStore(client, outputs.receiverTable, {
      instance: String(instances),
      nowMs: () => Date.now(),
    });
  }

  describe('the table of the receiver', () => {
    keepsThePromisesOfReceiverStore(open);

    test('all instances of the receiver share an endpoint’s capacity, and its counters expire', async () => {
      const endpoint = `shared-${crypto.randomUUID()}`;
      const stores = Array.from({ length: 4 }, open);
      const taken = await Promise.all(
        Array.from({ length: 40 }, (_, index) => stores[index % 4]?.takeOne(endpoint, 1_800_000_000, 10)),
      );
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(10);
      const item = `${receiverTable.takenPrefix}1800000000`;
      const { Item } = await client.send(
        new GetItemCommand({ TableName: outputs.receiverTable, Key: marshall({ endpoint, item }) }),
      );
      expect(Item && unmarshall(Item)).toEqual({
        endpoint,
        item,
        taken: 10,
        [receiverTable.timeToLive]: 1_800_000_060,
      });
    });
  });

  test('the deployed receiver, with a capacity of one a second, accepts one in each second', async () => {
    const url = `${outputs.receiverUrl}narrow-${crypto.randomUUID()}`;
    const settings = { takes_per_second: 1 };
    await fetch(`${url}/settings`, { method: 'PUT', body: JSON.stringify(settings) });
    const statuses: number[] = [];
    while (!(statuses.includes(429) && statuses.includes(200)) && statuses.length < 100) {
      statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status);
    }
    const { receipts } = (await (await fetch(`${url}/receipts?after=0`)).json()) as { receipts: Receipt[] };
    expect(receipts.map(({ status }) => status)).toEqual(statuses);
    const bySecond = Map.groupBy(receipts, ({ received_at }) => received_at.slice(0, -'.000Z'.length));
    for (const some of bySecond.values()) {
      expect(some.filter(({ status }) => status === 200)).toHaveLength(1);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

describe('waiting metrics', () => {
  const TEN_MINUTES_S = 600;

  /**
   * The metrics that sweep has logged so far: one object per line, with one metric or all of an instant, by
   * name.
   */
  async function measured(): Promise<Record<string, number>[]> {
    const client = new CloudWatchLogsClient(clientConfig(stack.outputs.endpoint));
    const lines: string[] = [];
    for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
      for (const { logGroupName = '' } of logGroups) {
        if (logGroupName.includes('SweepLogs')) {
          for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
            lines.push(...events.flatMap(({ message = '' }) => message.split('\n')));
          }
        }
      }
    }
    client.destroy();
    return lines
      .filter((line) => line.includes('"OldestDue"'))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
  }

  test('sweep measures how long the oldest work has been overdue, with its own grants', async () => {
    const { id } = await service.subscribe('http://localhost:9/nobody-listens');
    const dueAtMs = Date.now() - TEN_MINUTES_S * 1_000;
    await blockedOrderingKey(stack, {
      ...{ service, subscriptionId: id, paymentId: 'pay-overdue' },
      ...{ blockedAtMs: dueAtMs, dueAtMs, waiting: ['known'] },
    });
    expect(await stack.run('Sweep')).toEqual({ error: undefined });
    const seen = await eventually('a sweep has seen it', async () =>
      (await measured()).find(({ OldestDue = 0 }) => OldestDue >= TEN_MINUTES_S),
    );
    // Metrics are written only above zero, and whether more than this ordering key waits depends on other
    // tests.
    expect(seen).toMatchObject({ service: 'sweep', WaitingOrderingKeys: expect.any(Number) });
    expect(seen.WaitingOrderingKeys).toBeGreaterThanOrEqual(1);
  });
});
