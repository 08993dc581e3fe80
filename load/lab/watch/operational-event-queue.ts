import {
  DeleteRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import type { OperationalEventType } from '../../../functions/core/operational-events/operational-event.ts';
import type { LabStage } from '../stage/lab-stage.ts';

interface OperationalEventQueue {
  /** Up to ten events, each as JSON with its `detail`, in any order and possibly twice. */
  take(): Promise<readonly string[]>;
  /** Removes the rule and the queue. */
  stop(): Promise<void>;
}

/**
 * A temporary queue that receives operational events from the bus.
 *
 * @param name of the queue and its rule, up to 64 of `[A-Za-z0-9_-]`
 */
export async function operationalEventQueue(
  { sqs, events, busName }: Pick<LabStage, 'sqs' | 'events' | 'busName'>,
  name: string,
  types: readonly OperationalEventType[],
): Promise<OperationalEventQueue> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const queueArn = Attributes?.QueueArn ?? '';
  const rule = { Name: name, EventBusName: busName };
  const { RuleArn } = await events.send(
    new PutRuleCommand({
      ...rule,
      EventPattern: JSON.stringify({ source: ['payhooks'], 'detail-type': types }),
    }),
  );
  const Statement = [
    {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
      Condition: { ArnEquals: { 'aws:SourceArn': RuleArn } },
    },
  ];
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  await events.send(
    new PutTargetsCommand({ EventBusName: busName, Rule: name, Targets: [{ Id: 'run', Arn: queueArn }] }),
  );
  return {
    async take() {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length > 0) {
        const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
      return Messages.flatMap(({ Body }) => Body ?? []);
    },
    async stop() {
      await events.send(new RemoveTargetsCommand({ EventBusName: busName, Rule: name, Ids: ['run'] }));
      await events.send(new DeleteRuleCommand(rule));
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
}
