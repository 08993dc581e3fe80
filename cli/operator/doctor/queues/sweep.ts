import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { orderingKeyTable } from '../../stuck/ordering-key-table.ts';
import { stuckEventTable } from '../../stuck/stuck-event-table.ts';
import { type Check, failed, ok, warning } from '../check.ts';

const MINUTES = 3;

/** Whether sweep runs. The log is ahead of its metric. */
export const sweep: Check = {
  name: 'sweep',
  partOf: [21],
  async run(stage) {
    const [logGroupName] = await stage.named('pipeline', 'Logs::LogGroup', 'SweepLogs');
    const { events = [] } = await stage.clients.logs.send(
      new FilterLogEventsCommand({
        logGroupName,
        startTime: Date.now() - MINUTES * 60_000,
        filterPattern: `"${METRIC.oldestDue}"`,
      }),
    );
    const last = Math.max(...events.map(({ timestamp = 0 }) => timestamp));
    return events.length > 0
      ? ok(`measured what waits ${Math.round((Date.now() - last) / 1_000)} s ago`)
      : failed(
          `has not measured what waits in the last ${MINUTES} minutes`,
          'Continue at docs/operations.md#oldest-due (a stage that was deployed a moment ago: ask again in two minutes).',
        );
  },
};

const MAX = 1_000;

/** How many payments wait for an operator. */
export const stuckPayments: Check = {
  name: 'stuck-payments',
  async run({ clients, output, option }) {
    const tables = {
      orderingKeys: output('data', 'OrderingKeysTableName'),
      history: output('data', 'HistoryTableName'),
    };
    let unreadable = 0;
    const keys = await orderingKeyTable(clients.dynamodb, tables).stuck(MAX, () => {
      unreadable += 1;
    });
    const events = stuckEventTable(clients.dynamodb, { sequences: output('data', 'SequencesTableName') });
    const payments = await events.payments(MAX, () => {
      unreadable += 1;
    });
    const count = keys.length + payments.length + unreadable;
    return count === 0
      ? ok('no payment waits for an operator')
      : warning(
          `${count === MAX ? `${MAX} or more` : count} payments wait for an operator`,
          `Look at them: npm run ops -- stuck list ${option}, and continue at docs/operations.md#payments-stuck`,
        );
  },
};
