import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  COURSE_ATTRIBUTES,
  courseReader,
} from '../../../../../functions/adapters/dynamodb/history/course-reader.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { messageRecord } from '../../../api/builders.ts';

const RECORD = { ...messageRecord(), item: 'message' };
const later = (attempt: number) => ({
  message_id: 'msg_1',
  item: `attempt#${String(attempt).padStart(5, '0')}`,
  attempt,
  started_at: '2026-01-01T00:00:09.000Z',
  duration_ms: 5,
});

/** Answers with these items, as DynamoDB would sort them. */
function table(items: readonly object[], options?: { readonly isDetailed: boolean }) {
  const { client, inputs } = recordingClient<DynamoDBClient, QueryCommand['input']>(() => ({
    Items: items.map((item) => marshall(item)),
  }));
  return { queries: inputs, course: courseReader(client, 'history', options) };
}

/** What a query asks for, as paths. */
function pathsOf({ ProjectionExpression = '', ExpressionAttributeNames = {} }: QueryCommand['input']) {
  return ProjectionExpression.split(', ').map((path) =>
    path
      .split('.')
      .map((alias) => ExpressionAttributeNames[alias])
      .join('.'),
  );
}

test('a message and its last attempts come in one read, newest first, without what was sent and answered', async () => {
  const { queries, course } = table([RECORD, later(3), later(2)]);

  const found = await course('msg_1', 2);

  expect(found?.record).toMatchObject({ message_id: 'msg_1', first_attempt: { attempt: 1 } });
  expect(found?.laterAttempts.map(({ attempt }) => attempt)).toEqual([2, 3]);
  expect(queries).toHaveLength(1);
  expect(queries[0]).toMatchObject({ ScanIndexForward: false, Limit: 3 });
  expect(unmarshall(queries[0]?.ExpressionAttributeValues ?? {})).toEqual({ ':message_id': 'msg_1' });
  const paths = pathsOf(queries[0]!);
  expect(paths).toEqual(expect.arrayContaining(['state', 'sequence', 'first_attempt.status_code']));
  expect(paths.filter((path) => /body$|^resource_key|^first_attempt$/.test(path))).toEqual([]);
});

test('a message that is not there has no course', async () => {
  expect(await table([]).course('msg_1', 2)).toBeUndefined();
  expect(await table([later(2)]).course('msg_1', 2)).toBeUndefined();
});

test('without details, nothing is asked for in which an outsider’s words are', async () => {
  const { queries, course } = table([RECORD], { isDetailed: false });
  await course('msg_1', 2);
  expect(pathsOf(queries[0]!)).toEqual(COURSE_ATTRIBUTES);
  for (const name of [
    'body',
    'resource',
    'resource_key',
    'first_attempt',
    'response_body',
    'failure_reason',
  ]) {
    expect(COURSE_ATTRIBUTES).not.toContain(name);
  }
  expect(new Set(COURSE_ATTRIBUTES).size).toBe(COURSE_ATTRIBUTES.length);
});
