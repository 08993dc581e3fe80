import { queryCommand } from '../../../../../cli/operator/aws/query-command.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { ops } from '../../../../support/operator-run.ts';
import { examined } from '../doctor/examined.ts';

/** A stage whose only saved query is this one, and what is asked of its logs. */
function saved(name: string, queryString: string, statuses = ['Running', 'Complete']) {
  const asked: object[] = [];
  const command = queryCommand(
    async () =>
      examined(
        STAGES.dev,
        {
          logs(input) {
            if ('queryDefinitionNamePrefix' in input) {
              return {
                queryDefinitions: [{ name: `payhooks-dev/${name}`, queryString, logGroupNames: ['log'] }],
              };
            }
            if ('queryString' in input) {
              asked.push(input);
              return { queryId: 'q' };
            }
            const results = [
              [
                { field: 'message', value: 'match.internal_error' },
                { field: '@ptr', value: 'x' },
              ],
            ];
            return { status: statuses.shift(), results };
          },
        },
        { output: () => 'payhooks-dev/' },
      ),
    async () => {},
  );
  return {
    asked,
    run: (...args: string[]) =>
      ops(['query', '--stage', 'dev', ...args], { now: () => 7_200_000 }, [command]),
  };
}

test('a saved query is asked of its logs, of the last hour, and its rows are a table', async () => {
  const query = saved('internal errors', 'stats count(*)');
  const { printed } = await query.run('internal errors');
  expect(query.asked).toEqual([
    { logGroupNames: ['log'], queryString: 'stats count(*)', startTime: 3_600, endTime: 7_200 },
  ]);
  expect(printed).toBe('  message\n  match.internal_error\n');
});

test('a span of time may be given, and the payment that is asked about', async () => {
  const query = saved("one payment's story", 'filter @message like "pay_..."');
  const span = ['--since', '1970-01-01T00:00:10Z', '--until', '1970-01-01T00:00:20Z'];
  await query.run("one payment's story", '--for', 'pay_1', ...span);
  expect(query.asked).toMatchObject([
    { queryString: 'filter @message like "pay_1"', startTime: 10, endTime: 20 },
  ]);
  await expect(query.run("one payment's story")).rejects.toThrow('add --for and its id');
});

test('a query that does not end well is told', async () => {
  await expect(saved('given up', 'x', ['Timeout']).run('given up')).rejects.toThrow('has ended as Timeout');
});

test('the local stack has none, and says where its logs are', async () => {
  await expect(saved('given up', 'x').run('given up', '--stage', 'local')).rejects.toThrow('.local/*.log');
});
