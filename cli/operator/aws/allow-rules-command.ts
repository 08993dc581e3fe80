import { isDeepStrictEqual } from 'node:util';
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { rulesOfBus } from '../../../lib/observability/rule-queries.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, operatorCommand } from '../operator-command.ts';
import { findStage, type StageFinder } from '../stage-finder.ts';

const QUEUES = ['EventsQueueUrl', 'RuleDeadLettersUrl'];
const SID = 'RulesOfTheBus';

interface Policy {
  readonly Version: string;
  readonly Statement: readonly { readonly Sid?: string }[];
}

/** CloudFormation does not notice a changed policy of a queue, so no deployment puts it back. */
export function allowRulesCommand(find: StageFinder = findStage) {
  return operatorCommand({
    name: 'allow-rules',
    summary: 'Let the rules of the bus send to the events queue and to their dead letters again',
    options: CHANGES_STAGE,
    example: '--stage dev',
    async run({ stage, yes }, { access, print }) {
      const { clients, output, arn } = await find(stage);
      const rules = arn('events', `rule/${rulesOfBus(output('pipeline', 'BusName'))}`);
      const queues = await Promise.all(
        QUEUES.map(async (name) => {
          const QueueUrl = output('pipeline', name);
          const { Attributes = {} } = await clients.sqs.send(
            new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Policy', 'QueueArn'] }),
          );
          const { Policy, QueueArn = '' } = Attributes;
          return { name, QueueUrl, before: Policy, after: policyWith(Policy, QueueArn, rules) };
        }),
      );
      const changed = queues.filter(({ before, after }) => !isSame(before, after));
      const names = changed.map(({ name }) => name.replace(/Url$/, ''));
      if (yes && changed.length > 0) {
        await recorded(
          await (await access(stage)).operators(),
          { command: 'allow-rules', arguments: {} },
          async () => {
            for (const { QueueUrl, after } of changed) {
              await clients.sqs.send(
                new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(after) } }),
              );
            }
            return { result: undefined, outcome: { changed: names.join(', ') } };
          },
        );
      }
      const text =
        changed.length === 0
          ? 'The rules may send to both queues: there is nothing to do.'
          : `The rules may not send to ${names.join(' and ')}. ${yes ? 'Now they may.' : 'Nothing has been done yet: add --yes.'}`;
      print(text, { changed: names, policies: changed.map(({ after }) => after) });
      return yes || changed.length === 0;
    },
  });
}

/** SQS keeps the text that it was given, whatever the order of its members: CloudFormation sorts them. */
function isSame(before: string | undefined, after: Policy): boolean {
  return before !== undefined && isDeepStrictEqual(JSON.parse(before), after);
}

/** What others were allowed stays; a queue without a policy refuses again what is not TLS. */
export function policyWith(policy: string | undefined, queue: string, rules: string): Policy {
  const before: Policy =
    policy === undefined
      ? {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Deny',
              Principal: '*',
              Action: 'sqs:*',
              Resource: queue,
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            } as object,
          ],
        }
      : JSON.parse(policy);
  const allowed = {
    Sid: SID,
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: queue,
    Condition: { ArnLike: { 'aws:SourceArn': rules } },
  };
  const index = before.Statement.findIndex(({ Sid }) => Sid === SID);
  return {
    ...before,
    Statement: index < 0 ? [...before.Statement, allowed] : before.Statement.with(index, allowed),
  };
}
