import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import {
  type OperationalEvent,
  operationalEventSchema,
} from '../../../functions/core/operational-events/operational-event.ts';
import type { DeployedStack, Service } from './deployed-stack.ts';

/**
 * The operational events of a service that a rule and a queue receive, set up as in
 * docs/operational-events.md, in order of arrival.
 */
export async function operationalEventsOf(
  { sqs, outputs }: Pick<DeployedStack, 'sqs' | 'outputs'>,
  { serviceId }: Pick<Service, 'serviceId'>,
): Promise<() => Promise<readonly OperationalEvent[]>> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: `told-${serviceId}` }));
  const { Attributes: { QueueArn = '' } = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const eventBridge = new EventBridgeClient(clientConfig(outputs.endpoint));
  const rule = { EventBusName: outputs.busName, Name: `told-${serviceId}` };
  const EventPattern = JSON.stringify({ source: ['payhooks'], detail: { service_id: [serviceId] } });
  const { RuleArn } = await eventBridge.send(new PutRuleCommand({ ...rule, EventPattern }));
  const letIn = {
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: QueueArn,
    Condition: { ArnEquals: { 'aws:SourceArn': RuleArn } },
  };
  await sqs.send(
    new SetQueueAttributesCommand({
      QueueUrl,
      Attributes: { Policy: JSON.stringify({ Version: '2012-10-17', Statement: [letIn] }) },
    }),
  );
  await eventBridge.send(
    new PutTargetsCommand({
      EventBusName: rule.EventBusName,
      Rule: rule.Name,
      Targets: [{ Id: 'queue', Arn: QueueArn }],
    }),
  );
  eventBridge.destroy();

  const events: OperationalEvent[] = [];
  return async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
    );
    for (const { Body = '' } of Messages) {
      const { source, 'detail-type': type, detail } = JSON.parse(Body);
      expect({ source, type }).toEqual({ source: 'payhooks', type: detail.type });
      events.push(operationalEventSchema.parse(detail));
    }
    return events;
  };
}
