import { ConditionalCheckFailedException, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { AWS_CLIENT_CONFIG } from '../../../functions/adapters/aws-client-config.ts';

test('nothing of the input of a failed call is logged: it may be a body or a secret', async () => {
  const logged: unknown[] = [];
  const { logger } = AWS_CLIENT_CONFIG;
  // Collects what each method of the logger would write to the console.
  const listening = Object.fromEntries(
    Object.keys(logger).map((level) => [level, (...args: unknown[]) => logged.push(...args)]),
  ) as unknown as typeof logger;
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    logger: listening,
    requestHandler: {
      handle: () =>
        Promise.reject(new ConditionalCheckFailedException({ message: 'it was refused', $metadata: {} })),
    },
  });
  const put = new PutItemCommand({ TableName: 'secrets', Item: { secret: { S: 'whsec_' } } });
  await expect(client.send(put)).rejects.toThrow('it was refused');
  expect(JSON.stringify(logged)).not.toContain('whsec_');
});
