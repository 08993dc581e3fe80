import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { type Check, failed, ok } from '../check.ts';

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
          'Go on at docs/operations.md#oldest-due (a stage that was deployed a moment ago: ask again in two minutes).',
        );
  },
};
