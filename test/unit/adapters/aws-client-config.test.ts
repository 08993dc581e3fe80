import { ConditionalCheckFailedException, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { AWS_CLIENT_CONFIG } from '../../../functions/adapters/aws-client-config.ts';

test('of a call that fails nothing is said that was in it, for that may be a body or a secret', async () => {
  const told: unknown[] = [];
  const { logger } = AWS_CLIENT_CONFIG;
  // Whatever the logger of the functions has, told here instead of to the console.
  const listening = Object.fromEntries(
    Object.keys(logger).map((level) => [level, (...args: unknown[]) => told.push(...args)]),
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
  expect(JSON.stringify(told)).not.toContain('whsec_');
});
