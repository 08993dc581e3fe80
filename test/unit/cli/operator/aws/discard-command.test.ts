import { inMemoryOperators } from '../../../../../cli/operator/audit/operators-trail.ts';
import { discardCommand } from '../../../../../cli/operator/aws/discard-command.ts';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { ops } from '../../../../support/operator-run.ts';
import { examined } from '../doctor/examined.ts';

/** A queue of dead letters with these bodies. */
function queueOf(...bodies: string[]) {
  const operators = inMemoryOperators();
  const command = discardCommand(async () =>
    examined(STAGES.dev, {
      sqs({ ReceiptHandle, MaxNumberOfMessages }) {
        if (ReceiptHandle !== undefined) {
          bodies.splice(bodies.indexOf(ReceiptHandle), 1);
          return {};
        }
        return {
          Messages: bodies
            .slice(0, MaxNumberOfMessages)
            .map((Body) => ({ Body, ReceiptHandle: Body, Attributes: { SentTimestamp: '0' } })),
        };
      },
    }),
  );
  const access = async () => ({ operators: async () => operators }) as unknown as StageAccess;
  return { bodies, operators, run: (...args: string[]) => ops(['discard', ...args], { access }, [command]) };
}

test('without --yes it only shows what is there', async () => {
  const queue = queueOf('one', 'two');
  const { printed } = await queue.run('unclaimed');
  expect(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).body),
  ).toEqual(['one', 'two']);
  expect(queue.bodies).toEqual(['one', 'two']);
  expect(queue.operators.entries).toEqual([]);
});

test('with --yes it prints and deletes so many, and records how many', async () => {
  const queue = queueOf('one', 'two', 'three');
  const { printed } = await queue.run('events', '--limit', '2', '--yes');
  expect(printed.trim().split('\n')).toHaveLength(2);
  expect(queue.bodies).toEqual(['three']);
  expect(queue.operators.entries).toMatchObject([{ command: 'discard', outcome: { discarded: 2 } }]);
});

test('an empty queue is told', async () => {
  expect((await queueOf().run('archive')).printed).toBe('There is nothing in archive on local.\n');
});
