import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { stageTokens } from '../../../cli/operator/token/portal-stage.ts';
import { sampleTypes } from '../../../cli/publisher/sample-payments.ts';
import { ChosenDeployment, inRegionOf } from '../../../cli/stage/chosen-deployment.ts';
import { deployedTypes } from '../../../cli/stage/deployed-types.ts';
import { reachedDeployment } from '../../../cli/stage/reached-deployment.ts';
import type { Answer } from '../../../functions/load-lab/receiver/answer.ts';
import type { ControlRequest } from '../../../functions/load-lab/receiver/control.ts';
import type { LabStage } from './lab-stage.ts';
import { receiverControl } from './receiver-control.ts';

/**
 * A stage on AWS, reached with the user's credentials. Its receiver is a Lambda function, controlled by
 * direct invocation, which IAM guards.
 */
export async function deployedLab(stage: string): Promise<LabStage> {
  const chosen = new ChosenDeployment('stage', stage);
  const { value: output, apiUrl: urlOf } = await reachedDeployment(chosen);
  const [busName, apiUrl, receiverUrl, receiverFunction, events, deliveries, logGroup] = await Promise.all([
    output('pipeline', 'BusName'),
    urlOf(),
    output('load-lab', 'ReceiverUrl'),
    output('load-lab', 'ReceiverFunctionName'),
    output('pipeline', 'EventsQueueUrl'),
    output('pipeline', 'DeliveriesQueueUrl'),
    output('load-lab', 'EmptySinkLogGroupName'),
  ]);
  const config = inRegionOf(chosen);
  return {
    name: stage,
    apiUrl,
    busName,
    types: sampleTypes(await deployedTypes(apiUrl)),
    tokens: await stageTokens(chosen),
    receiver: receiverControl(receiverUrl, invokedControl(new LambdaClient(config), receiverFunction)),
    queues: { events, deliveries },
    emptySink: { logs: new CloudWatchLogsClient(config), logGroup },
    sqs: new SQSClient(config),
    events: new EventBridgeClient(config),
    environment: config.region === undefined ? {} : { AWS_REGION: config.region },
    machine: `stage ${stage} on AWS`,
    close: async () => {},
  };
}

/** @throws with the function's error when it fails */
export function invokedControl(
  client: Pick<LambdaClient, 'send'>,
  FunctionName: string,
): (request: ControlRequest) => Promise<Answer> {
  return async (request) => {
    const Payload = JSON.stringify({ control: request });
    const answer = await client.send(new InvokeCommand({ FunctionName, Payload }));
    const text = Buffer.from(answer.Payload ?? []).toString('utf8');
    if (answer.FunctionError !== undefined) {
      throw new Error(`the receiver failed: ${text}`);
    }
    return JSON.parse(text) as Answer;
  };
}
