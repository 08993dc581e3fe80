import {
  type CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';

/** Page size of FilterLogEvents. */
const PAGE = 10_000;

/**
 * The log groups of a stage's pipeline, under whatever names CloudFormation gave them. Those of the API say
 * nothing about deliveries.
 */
export async function pipelineLogGroups(logs: CloudWatchLogsClient, stage: string): Promise<string[]> {
  const { logGroups = [] } = await logs.send(
    new DescribeLogGroupsCommand({ logGroupNamePattern: `payhooks-${stage}-pipeline` }),
  );
  return logGroups.flatMap(({ logGroupName }) => logGroupName ?? []);
}

/** All lines of a log group between two instants (ms since 1970, both included), each once. */
export async function readLog(
  logs: CloudWatchLogsClient,
  logGroupName: string,
  fromMs: number,
  toMs: number,
): Promise<string[]> {
  const lines = new Map<string, string>();
  let startTime = fromMs;
  let nextToken: string | undefined;
  for (;;) {
    const answer = await logs.send(
      new FilterLogEventsCommand({ logGroupName, startTime, endTime: toMs, limit: PAGE, nextToken }),
    );
    const { events = [] } = answer;
    const knownBefore = lines.size;
    for (const { eventId, logStreamName, timestamp = 0, message = '' } of events) {
      // The emulator returns no ids, but each invocation has its own stream.
      lines.set(eventId ?? `${logStreamName} ${timestamp} ${message}`, message);
    }
    nextToken = answer.nextToken;
    if (nextToken !== undefined) continue;
    // Nor does it return tokens: after a full page, continue from its last timestamp.
    const last = events.at(-1)?.timestamp;
    if (events.length < PAGE || last === undefined || lines.size === knownBefore) return [...lines.values()];
    startTime = last;
  }
}
