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
import * as z from 'zod';
import type { LabStage } from './lab-stage.ts';

const MANY_WAIT = ['messages.waiting', 'messages.waiting.eased'] as const;
const toldSchema = z.object({
  detail: z.object({ type: z.enum(MANY_WAIT), at: z.string(), subscription_id: z.string() }),
});

/** Which subscriptions have too much waiting. Events may come in either order, and twice: the later one counts. */
export function crowding() {
  const last = new Map<string, { readonly at: string; readonly isMany: boolean }>();
  return {
    heard(text: string): void {
      const { detail } = toldSchema.parse(JSON.parse(text));
      const known = last.get(detail.subscription_id);
      if (known === undefined || known.at <= detail.at) {
        last.set(detail.subscription_id, { at: detail.at, isMany: detail.type === 'messages.waiting' });
      }
    },
    isCrowded: (subscriptionIds: ReadonlySet<string>) =>
      [...last].some(([id, { isMany }]) => isMany && subscriptionIds.has(id)),
  };
}

/** A queue of this run's own that hears what Payhooks tells of messages that wait. */
export async function waitingSignal({ sqs, events, busName }: LabStage, run: string) {
  const name = `payhooks-load-${run}`;
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const queueArn = Attributes?.QueueArn ?? '';
  const rule = { Name: name, EventBusName: busName };
  const { RuleArn } = await events.send(
    new PutRuleCommand({
      ...rule,
      EventPattern: JSON.stringify({ source: ['payhooks'], 'detail-type': MANY_WAIT }),
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
  const heard = crowding();
  return {
    isCrowded: heard.isCrowded,
    async look(): Promise<void> {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      for (const { Body = '' } of Messages) heard.heard(Body);
      if (Messages.length > 0) {
        const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    async stop(): Promise<void> {
      await events.send(new RemoveTargetsCommand({ EventBusName: busName, Rule: name, Ids: ['run'] }));
      await events.send(new DeleteRuleCommand(rule));
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
}
export type WaitingSignal = Awaited<ReturnType<typeof waitingSignal>>;
