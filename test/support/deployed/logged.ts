import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** The emulator returns only the first events, without a next page. */
const PAGE = 10_000;

/** All log lines of our functions since then, in ms since 1970. */
export async function logged({ outputs }: DeployedStack, startTime: number): Promise<string> {
  const client = new CloudWatchLogsClient(clientConfig(outputs.endpoint));
  const lines: (string | undefined)[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
        expect(events.length).toBeLessThan(PAGE);
        lines.push(...events.map(({ message }) => message));
      }
    }
  }
  client.destroy();
  return lines.join('\n');
}
