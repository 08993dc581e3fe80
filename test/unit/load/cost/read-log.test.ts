import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { readLog } from '../../../../load/cost/read-log.ts';

/** A log that answers from a list of pages, and remembers what it was asked. */
function logOf(pages: readonly object[]) {
  const asked: { startTime?: number; nextToken?: string }[] = [];
  const send = async ({ input }: { input: { startTime: number; nextToken?: string } }) => {
    asked.push(input);
    return pages[asked.length - 1] ?? {};
  };
  return { client: { send } as unknown as CloudWatchLogsClient, asked };
}

test('all pages of a log are read', async () => {
  const { client, asked } = logOf([
    { events: [{ eventId: 'a', timestamp: 1, message: 'one' }], nextToken: 'more' },
    { events: [{ eventId: 'b', timestamp: 2, message: 'two' }] },
  ]);
  expect(await readLog(client, 'a log', 1, 9)).toEqual([
    { atMs: 1, text: 'one' },
    { atMs: 2, text: 'two' },
  ]);
  expect(asked).toMatchObject([{ startTime: 1 }, { nextToken: 'more' }]);
});

test('without tokens, reading continues after a full page, and no line is read twice', async () => {
  const full = Array.from({ length: 10_000 }, (_, index) => ({
    logStreamName: 's',
    timestamp: index,
    message: `line ${index}`,
  }));
  const { client, asked } = logOf([
    { events: full },
    { events: [full.at(-1), { logStreamName: 's', timestamp: 10_000, message: 'the last' }] },
  ]);
  const lines = await readLog(client, 'a log', 0, 99_999);
  expect(asked).toMatchObject([{ startTime: 0 }, { startTime: 9_999 }]);
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toEqual({ atMs: 10_000, text: 'the last' });
});
