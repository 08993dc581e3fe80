import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** How many records of each queue can be received now, as SQS estimates, in the order of the URLs. */
export async function queueDepths(sqs: SQSClient, urls: readonly string[]): Promise<number[]> {
  return Promise.all(
    urls.map(async (QueueUrl) => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
      return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
    }),
  );
}
