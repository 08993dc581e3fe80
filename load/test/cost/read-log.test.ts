import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { inTurn, recordingClient } from '../../../test/support/recorded-parameters.ts';
import { readLog } from '../../cost/read-log.ts';

const logOf = (...pages: object[]) => recordingClient<CloudWatchLogsClient>(inTurn(...pages));

test('all pages of a log are read', async () => {
  const { client, inputs } = logOf(
    { events: [{ eventId: 'a', timestamp: 1, message: 'one' }], nextToken: 'more' },
    { events: [{ eventId: 'b', timestamp: 2, message: 'two' }] },
  );
  expect(await readLog(client, 'a log', 1, 9)).toEqual(['one', 'two']);
  expect(inputs).toMatchObject([{ startTime: 1 }, { nextToken: 'more' }]);
});

test('without tokens, reading continues after a full page, and no line is read twice', async () => {
  const full = Array.from({ length: 10_000 }, (_, index) => ({
    logStreamName: 's',
    timestamp: index,
    message: `line ${index}`,
  }));
  const { client, inputs } = logOf(
    { events: full },
    { events: [full.at(-1), { logStreamName: 's', timestamp: 10_000, message: 'the last' }] },
  );
  const lines = await readLog(client, 'a log', 0, 99_999);
  expect(inputs).toMatchObject([{ startTime: 0 }, { startTime: 9_999 }]);
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toBe('the last');
});
