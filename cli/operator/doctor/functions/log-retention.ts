import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { type Check, judged } from '../check.ts';
import { partsWithFunctions } from './function-settings.ts';

/** Whether logs expire: those kept for ever cost for ever. */
export const logRetention: Check = {
  name: 'log-retention',
  async run(stage) {
    const wanted = stage.settings.logRetentionDays;
    const groups = partsWithFunctions(stage).map((part) => stage.named(part, 'Logs::LogGroup'));
    const names = (await Promise.all(groups)).flat();
    const faults = await Promise.all(
      names.map(async (logGroupNamePrefix) => {
        const { logGroups = [] } = await stage.clients.logs.send(
          new DescribeLogGroupsCommand({ logGroupNamePrefix }),
        );
        const days = logGroups.find(
          ({ logGroupName }) => logGroupName === logGroupNamePrefix,
        )?.retentionInDays;
        return days === wanted ? [] : [`${logGroupNamePrefix} keeps ${days ?? 'for ever'}`];
      }),
    );
    return judged(
      faults.flat(),
      `${names.length} log groups keep ${wanted} days`,
      `Set it: aws logs put-retention-policy --retention-in-days ${wanted} --log-group-name …`,
    );
  },
};
