import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { blockedOrderingKey } from '../../support/deployed/blocked-ordering-key.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

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
