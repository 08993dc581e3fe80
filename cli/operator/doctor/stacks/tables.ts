import { DescribeContinuousBackupsCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { historyTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { type Check, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';

/** All of them name the attribute alike. */
const ATTRIBUTE = historyTable.timeToLive;

const EXPIRING = ['History', 'Subscriptions', 'ApiTokens', 'Idempotency', 'Audit', 'Statistics'] as const;
const ALL = [...EXPIRING, 'SigningSecrets', 'OrderingKeys'] as const;

/** Whether what has expired goes. */
export const timeToLive: Check = {
  name: 'time-to-live',
  partOf: [33],
  notEmulated: 'it leaves out what the template says of it',
  async run(stage) {
    const { clients, output } = stage;
    const faults = await Promise.all(
      EXPIRING.map(async (table) => {
        const TableName = output('data', `${table}TableName`);
        const { TimeToLiveDescription } = await clients.dynamodb.send(
          new DescribeTimeToLiveCommand({ TableName }),
        );
        const { TimeToLiveStatus: status = 'DISABLED', AttributeName } = TimeToLiveDescription ?? {};
        return ['ENABLED', 'ENABLING'].includes(status) && AttributeName === ATTRIBUTE
          ? []
          : [`${table} is ${status}`];
      }),
    );
    return judged(
      faults.flat(),
      `${EXPIRING.length} tables remove what has expired`,
      `Put it back: ${revertDrift(stage, 'data')}`,
    );
  },
};

/** Whether the tables can be put back to any second of the last 35 days. */
export const pointInTimeRecovery: Check = {
  name: 'point-in-time-recovery',
  notEmulated: 'it leaves out what the template says of it',
  async run(stage) {
    const { clients, output } = stage;
    const faults = await Promise.all(
      ALL.map(async (table) => {
        const { ContinuousBackupsDescription } = await clients.dynamodb.send(
          new DescribeContinuousBackupsCommand({ TableName: output('data', `${table}TableName`) }),
        );
        const status =
          ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
        return status === 'ENABLED' ? [] : [`${table} is ${status}`];
      }),
    );
    return judged(
      faults.flat(),
      `on for all ${ALL.length} tables`,
      `Put it back, at once: ${revertDrift(stage, 'data')}`,
    );
  },
};
