import { inMemoryOperators } from '../../../../../cli/operator/audit/audit-command.ts';
import { allowRulesCommand } from '../../../../../cli/operator/aws/allow-rules-command.ts';
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

test('with --yes it prints and deletes this many, and records how many', async () => {
  const queue = queueOf('one', 'two', 'three');
  const { printed } = await queue.run('events', '--limit', '2', '--yes');
  expect(printed.trim().split('\n')).toHaveLength(2);
  expect(queue.bodies).toEqual(['three']);
  expect(queue.operators.entries).toMatchObject([{ command: 'discard', outcome: { discarded: 2 } }]);
});

test('an empty queue is told', async () => {
  expect((await queueOf().run('archive')).printed).toBe('There is nothing in archive on local.\n');
});

const RULES = 'arn:aws:events:eu-west-1:1:rule/BusName/*';

/** As CloudFormation writes it: members in alphabetical order. */
const allowed = (queue: string) => ({
  Action: 'sqs:SendMessage',
  Condition: { ArnLike: { 'aws:SourceArn': RULES } },
  Effect: 'Allow',
  Principal: { Service: 'events.amazonaws.com' },
  Resource: `arn:${queue}`,
  Sid: 'RulesOfTheBus',
});

/** A stage whose queues have these statements, by the names of their outputs. */
function queuesWith(statements: Record<string, object[]>) {
  const operators = inMemoryOperators();
  const policies = new Map(
    Object.entries(statements).map(([queue, Statement]) => [
      queue,
      JSON.stringify({ Statement, Version: '2012-10-17' }),
    ]),
  );
  const command = allowRulesCommand(async () =>
    examined(
      STAGES.dev,
      {
        sqs({ QueueUrl, Attributes }) {
          if (Attributes !== undefined) {
            policies.set(QueueUrl, Attributes.Policy);
          }
          return { Attributes: { QueueArn: `arn:${QueueUrl}`, Policy: policies.get(QueueUrl) } };
        },
      },
      { arn: (service, resource) => `arn:aws:${service}:eu-west-1:1:${resource}` },
    ),
  );
  const access = async () => ({ operators: async () => operators }) as unknown as StageAccess;
  return {
    operators,
    policies,
    run: (...args: string[]) => ops(['allow-rules', ...args], { access }, [command]),
  };
}

test('where the rules may send there is nothing to do, in whichever order the policy is written', async () => {
  const { run, operators } = queuesWith({
    EventsQueueUrl: [allowed('EventsQueueUrl')],
    RuleDeadLettersUrl: [{ Sid: 'Others' }, allowed('RuleDeadLettersUrl')],
  });
  expect(await run('--yes')).toMatchObject({
    isWell: true,
    printed: expect.stringContaining('The rules may send to both queues: there is nothing to do.'),
  });
  expect(operators.entries).toEqual([]);
});

test('a policy that was emptied or narrowed is told, and put back with --yes', async () => {
  const narrowed = { ...allowed('RuleDeadLettersUrl'), Condition: { ArnLike: { 'aws:SourceArn': 'arn:x' } } };
  const { run, operators, policies } = queuesWith({ EventsQueueUrl: [], RuleDeadLettersUrl: [narrowed] });
  expect(await run()).toMatchObject({
    isWell: false,
    printed: expect.stringContaining(
      'may not send to EventsQueue and RuleDeadLetters. Nothing has been done',
    ),
  });
  expect(await run('--yes')).toMatchObject({ isWell: true });
  expect(operators.entries).toMatchObject([{ command: 'allow-rules' }]);
  for (const [queue, policy] of policies) {
    expect(JSON.parse(policy).Statement).toEqual([allowed(queue)]);
  }
  expect(await run()).toMatchObject({ isWell: true });
});
