import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { ofType, resourcesOf } from '../../cli/operator/cost/ground.ts';
import { clientConfig } from '../../cli/stage/local-account.ts';
import { stageFigures } from '../../functions/adapters/dynamodb/analysis/stage-figures.ts';
import { historyWriter } from '../../functions/adapters/dynamodb/history/history-writer.ts';
import { statisticsWriter } from '../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { subscriptionsTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import { tableOfCounts, tableOfMessages } from '../../functions/core/analysis/analysis-table.ts';
import { countedPage } from '../../functions/core/analysis/counted-page.ts';
import type { CountedRow } from '../../functions/core/analysis/counted-row.ts';
import { READ_UNIT_USD } from '../../functions/core/analysis/list-prices.ts';
import { type OfService, unacknowledged, type Where } from '../../functions/core/analysis/unacknowledged.ts';
import type { Place } from '../../functions/core/analysis/walk.ts';
import { DELIVERY_POLICY } from '../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../functions/core/message/history.ts';
import { recordOf } from '../../functions/core/message/outcome.ts';
import { statisticsChangesOf } from '../../functions/core/statistics/statistics-of-changes.ts';
import { STAGES } from '../../payhooks.config.ts';
import { message } from '../support/builders.ts';
import { withEngine } from '../support/engines/with-engine.ts';

const SERVICES = 20;
const SUBSCRIPTIONS = 100;
const MESSAGES = 100_000;
const WEEK_MS = 7 * 86_400_000;
const SINCE_MS = Date.UTC(2026, 10, 7);
const PERIOD = {
  since: new Date(SINCE_MS).toISOString(),
  until: new Date(SINCE_MS + WEEK_MS).toISOString(),
};
/** One of this many is given up, and one of this many is delivered by its second attempt. */
const GIVEN_UP = 20;
const RETRIED = 10;

const idOf = (index: number) => `sub_${String(index).padStart(20, '0')}`;
const serviceOf = (index: number) => `service-${String(index % SERVICES).padStart(2, '0')}`;

/** Each subscription gets a thousand, evenly over the week. */
function recordAt(subscription: number, number: number): MessageRecord {
  const everyMs = WEEK_MS / (MESSAGES / SUBSCRIPTIONS);
  const atMs = SINCE_MS + Math.round((number + subscription / SUBSCRIPTIONS) * everyMs);
  const at = (ms: number) => new Date(atMs + ms).toISOString();
  const isGivenUp = number % GIVEN_UP === 0;
  const attempts = isGivenUp ? 11 : number % RETRIED === 1 ? 2 : 1;
  const tookMs = attempts === 1 ? 40 + (number % 400) : 5_000 + number;
  const of = message({
    ...{ service_id: serviceOf(subscription), subscription_id: idOf(subscription) },
    ...{ payment_id: `pay-${subscription}-${number}`, event_id: `evt-${number}`, admitted_at_ms: atMs },
  });
  return {
    ...recordOf(of),
    ...{ state: isGivenUp ? 'exhausted' : 'succeeded', attempt_count: attempts, time_to_send_ms: 8 },
    ...{ last_attempt_at: at(tookMs - 40), ended_at: at(tookMs) },
    ...(isGivenUp ? { last_failure_class: 'http_status', last_status_code: 503 } : { last_status_code: 200 }),
  } as MessageRecord;
}

interface Figure {
  readonly question: string;
  readonly pages: number;
  readonly ms: number;
  readonly units: number;
}

withEngine('dynamodb-local', (engine) => {
  let client: DynamoDBClient;
  let tables: { readonly subscriptions: string; readonly statistics: string; readonly history: string };
  const figures: Figure[] = [];

  beforeAll(async () => {
    client = new DynamoDBClient(clientConfig(engine().endpoint));
    const nameOf = async (id: string) => {
      const found = ofType(resourcesOf(STAGES.dev), 'AWS::DynamoDB::Table').find((table) =>
        table.id.startsWith(id),
      );
      const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = found?.properties ?? {};
      const indexes = (
        GlobalSecondaryIndexes as { IndexName: string; KeySchema: never; Projection: never }[]
      ).map(({ IndexName, KeySchema: keys, Projection }) => ({ IndexName, KeySchema: keys, Projection }));
      const schema = { KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' as const };
      const withIndexes = indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes };
      await client.send(new CreateTableCommand({ TableName: id, ...schema, ...withIndexes }));
      return id;
    };
    tables = {
      subscriptions: await nameOf('Subscriptions'),
      statistics: await nameOf('Statistics'),
      history: await nameOf('History'),
    };
    const put = (partition: string, item: string) =>
      client.send(
        new PutItemCommand({
          TableName: tables.subscriptions,
          Item: marshall({
            [subscriptionsTable.partitionKey]: partition,
            [subscriptionsTable.sortKey]: item,
          }),
        }),
      );
    const add = statisticsWriter(client, tables.statistics);
    const save = historyWriter(client, tables.history, DELIVERY_POLICY.retentionDays);
    for (let subscription = 0; subscription < SUBSCRIPTIONS; subscription += 1) {
      await put(subscriptionsTable.services, serviceOf(subscription));
      await put(serviceOf(subscription), idOf(subscription));
      const records = Array.from({ length: MESSAGES / SUBSCRIPTIONS }, (_, number) =>
        recordAt(subscription, number),
      );
      const transitions = records.map((after, position) => ({
        ...{ before: undefined, after, position: String(position).padStart(6, '0') },
      }));
      const changes = statisticsChangesOf(transitions);
      await Promise.all(changes.map((change) => add(change, undefined)));
      const { untaken, refused, internalErrors } = await save(records.map((record) => ({ record })));
      expect([untaken.size, refused.size, internalErrors]).toEqual([0, 0, []]);
    }
  }, 1_800_000);
  afterAll(() => {
    client?.destroy();
    const lines = figures.map(({ question, pages, ms, units }) => {
      const price = (units * READ_UNIT_USD).toFixed(6);
      return `${question}: ${pages} requests, ${Math.round(ms)} ms, ${units} read units, $${price}`;
    });
    process.stderr.write(`${lines.join('\n')}\n`);
  });

  /** Asks page by page, as the console does, and notes what it took. */
  async function asked<Found, From>(
    question: string,
    page: (
      reads: ReturnType<typeof stageFigures>,
      from: From | undefined,
    ) => Promise<{ found: readonly Found[]; next: From | undefined }>,
  ): Promise<readonly Found[]> {
    const all: Found[] = [];
    let [from, pages, units]: [From | undefined, number, number] = [undefined, 0, 0];
    const startMs = performance.now();
    do {
      const reads = stageFigures(client, tables);
      const { found, next } = await page(reads, from);
      all.push(...found);
      from = next;
      pages += 1;
      units += reads.readUnits();
    } while (from !== undefined);
    figures.push({ question, pages, ms: performance.now() - startMs, units });
    return all;
  }

  test.each(['failures', 'acknowledgement'] as const)('%s of a week', async (question) => {
    const rows = await asked<CountedRow, Place>(question, async (reads, after) => {
      const { rows: found, next } = await countedPage(
        reads,
        { ...PERIOD, by: 'day', timeZone: 'UTC' },
        after,
      );
      return { found, next };
    });
    const { totals } = tableOfCounts(question, rows, ['service', 'day']);
    const failed = (MESSAGES / GIVEN_UP) * 11 + MESSAGES / RETRIED;
    expect(totals[2]).toBe(question === 'failures' ? failed : MESSAGES - MESSAGES / GIVEN_UP);
    expectFairPrice();
  });

  test('what of a week was not acknowledged', async () => {
    const messages = await asked<OfService, Where>('not acknowledged', async (reads, from) => {
      const page = await unacknowledged(reads, PERIOD, from);
      return { found: page.messages, next: page.next };
    });
    const { rows, totals } = tableOfMessages(messages, ['service', 'status'], 'UTC');
    expect(rows).toHaveLength(SERVICES);
    expect(totals.slice(2, 6)).toEqual([MESSAGES / GIVEN_UP, 0, MESSAGES / GIVEN_UP, 0]);
    expectFairPrice();
  });

  /** A week of a thousand subscriptions for $0.002. */
  function expectFairPrice(): void {
    const units = figures.at(-1)?.units ?? 0;
    expect((units * READ_UNIT_USD * 1_000) / SUBSCRIPTIONS).toBeLessThanOrEqual(0.002);
  }
});
