import type { SQSClient } from '@aws-sdk/client-sqs';
import { deadLetters } from '../../../functions/adapters/dead-letters.ts';
import { sendBatch } from '../../../functions/adapters/queue-batch.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageAttributes?: Record<string, { StringValue: string }>;
}

/** A queue that writes down what it is sent; `answer` says which entries of a call it does not take, or throws. */
function queue(answer: (entries: readonly Entry[], call: number) => string[] = () => []) {
  const calls: Entry[][] = [];
  const client = {
    async send({ input }: { input: { Entries: Entry[] } }) {
      calls.push(input.Entries);
      return { Failed: answer(input.Entries, calls.length).map((Id) => ({ Id })) };
    },
  };
  return { client: client as unknown as SQSClient, calls };
}

const record = (body: string) => ({ body, group: 'g', deduplicationId: body.slice(0, 20) });
const letter = (recordId: string, body = '{}') => ({
  recordId,
  group: 'g',
  body,
  reason: 'malformed',
  explanation: 'resource: required',
});

test('entries that were not taken are sent again, and no others', async () => {
  const { client, calls } = queue((_, call) => (call === 1 ? ['1'] : []));
  expect(await sendBatch(client, 'url', [record('a'), record('b')])).toEqual([]);
  expect(calls.map((entries) => entries.map(({ MessageBody }) => MessageBody))).toEqual([['a', 'b'], ['b']]);
});

test('entries that are never taken are told by their position', async () => {
  const { client } = queue(() => ['1']);
  expect(await sendBatch(client, 'url', [record('a'), record('b')])).toEqual([1]);
});

test('characters that SQS does not take travel escaped', async () => {
  const { client, calls } = queue();
  const body = JSON.stringify({ note: '\uFFFE \uFFFF é' });
  await sendBatch(client, 'url', [record(body)]);
  const sent = calls[0]?.[0]?.MessageBody ?? '';
  expect(sent).not.toMatch(/[\uFFFE\uFFFF]/);
  expect(JSON.parse(sent)).toEqual(JSON.parse(body));
});

describe('dead letters', () => {
  const ignore = () => {};

  test('carry their reason, in characters that SQS takes', async () => {
    const { client, calls } = queue();
    await deadLetters(
      client,
      'url',
      ignore,
    )([{ ...letter('a'), explanation: 'event_type: "\uD800\u0000x"' }]);
    expect(calls[0]?.[0]?.MessageAttributes).toEqual({
      Reason: { DataType: 'String', StringValue: 'malformed' },
      Explanation: { DataType: 'String', StringValue: 'event_type: "\uFFFD\uFFFDx"' },
    });
  });

  test('go in batches that SQS takes, by number and by size', async () => {
    const { client, calls } = queue();
    const large = '"'.padEnd(400_000, 'x');
    await deadLetters(client, 'url', ignore)([letter('a', large), letter('b', large), letter('c', large)]);
    await deadLetters(client, 'url', ignore)(Array.from({ length: 11 }, (_, index) => letter(String(index))));
    expect(calls.map((entries) => entries.length)).toEqual([2, 1, 10, 1]);
  });

  test('of which a batch is refused whole: its records are told, the others are put aside', async () => {
    const large = '"'.padEnd(600_000, 'x');
    const faults: unknown[] = [];
    const { client } = queue((_, call) => {
      if (call === 1) throw new Error('BatchRequestTooLong');
      return [];
    });
    const left = await deadLetters(client, 'url', (error) => faults.push(error))([
      letter('a', large),
      letter('b', large),
    ]);
    expect([...left]).toEqual(['a']);
    expect(faults).toHaveLength(1);
  });
});
