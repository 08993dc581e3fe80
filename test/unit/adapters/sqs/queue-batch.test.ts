import type { SQSClient } from '@aws-sdk/client-sqs';
import { deadLetters } from '../../../../functions/adapters/sqs/dead-letters.ts';
import { sendBatch } from '../../../../functions/adapters/sqs/queue-batch.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageAttributes?: Record<string, { StringValue: string }>;
}

/**
 * A queue that records what it is sent; `answer` returns the entries of a call that it refuses, or throws.
 */
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
const deadLetter = (recordId: string, body = '{}') => ({
  recordId,
  group: 'g',
  body,
  reason: 'malformed',
  explanation: 'resource: required',
});

test('entries that were not accepted are sent again, and no others', async () => {
  const { client, calls } = queue((_, call) => (call === 1 ? ['1'] : []));
  expect(await sendBatch(client, 'url', [record('a'), record('b')])).toEqual([]);
  expect(calls.map((entries) => entries.map(({ MessageBody }) => MessageBody))).toEqual([['a', 'b'], ['b']]);
});

test('characters that SQS refuses are sent escaped', async () => {
  const { client, calls } = queue();
  const body = JSON.stringify({ note: '\uFFFE \uFFFF é' });
  await sendBatch(client, 'url', [record(body)]);
  const sent = calls[0]?.[0]?.MessageBody ?? '';
  expect(sent).not.toMatch(/[\uFFFE\uFFFF]/);
  expect(JSON.parse(sent)).toEqual(JSON.parse(body));
});

describe('dead letters', () => {
  const ignore = () => {};

  test('carry their reason, in characters that SQS accepts', async () => {
    const { client, calls } = queue();
    await deadLetters(
      client,
      'url',
      ignore,
    )([{ ...deadLetter('a'), explanation: 'event_type: "\uD800\u0000x"' }]);
    expect(calls[0]?.[0]?.MessageAttributes).toEqual({
      Reason: { DataType: 'String', StringValue: 'malformed' },
      Explanation: { DataType: 'String', StringValue: 'event_type: "\uFFFD\uFFFDx"' },
    });
  });

  test('are sent in batches within the limits of SQS, by number and by size', async () => {
    const { client, calls } = queue();
    const large = '"'.padEnd(400_000, 'x');
    await deadLetters(
      client,
      'url',
      ignore,
    )([deadLetter('a', large), deadLetter('b', large), deadLetter('c', large)]);
    await deadLetters(
      client,
      'url',
      ignore,
    )(Array.from({ length: 11 }, (_, index) => deadLetter(String(index))));
    expect(calls.map((entries) => entries.length)).toEqual([2, 1, 10, 1]);
  });

  describe('of a record as large as SQS allows', () => {
    const MIB = 1_048_576;
    const explanation = 'resource: é '.repeat(500);

    /** What SQS counts: the body, and name, type and value of each attribute. */
    const sizeOf = ({ MessageBody, MessageAttributes = {} }: Entry) =>
      Object.entries(MessageAttributes).reduce(
        (sum, [name, { StringValue }]) => sum + Buffer.byteLength(`${name}String${StringValue}`),
        Buffer.byteLength(MessageBody),
      );

    test.each([
      ['of ASCII', 'x'.repeat(MIB)],
      ['of characters that a cut would split', 'é'.repeat(MIB / 2)],
      ['of characters of four bytes', `a${'🍞'.repeat(MIB / 4 - 1)}`],
    ])('are cut, and record the original length: %s', async (_, body) => {
      const { client, calls } = queue();
      await deadLetters(client, 'url', ignore)([{ ...deadLetter('a', body), explanation }, deadLetter('b')]);
      expect(calls.map((entries) => entries.length)).toEqual([1, 1]);
      const [[cut]] = calls as [[Entry]];
      expect(sizeOf(cut)).toBeLessThanOrEqual(MIB);
      expect(sizeOf(cut)).toBeGreaterThan(MIB - 32_768);
      expect(body.startsWith(cut.MessageBody)).toBe(true);
      expect(cut.MessageAttributes?.CutFrom?.StringValue).toBe(String(Buffer.byteLength(body)));
    });

    test('stay complete when there is room for the reason', async () => {
      const { client, calls } = queue();
      const body = 'x'.repeat(1_000_000);
      await deadLetters(client, 'url', ignore)([deadLetter('a', body)]);
      expect(calls[0]?.[0]?.MessageBody).toBe(body);
      expect(calls[0]?.[0]?.MessageAttributes).not.toHaveProperty('CutFrom');
    });
  });

  test('of which one is refused: it is reported, and the rest of its batch is still sent', async () => {
    const errors: unknown[] = [];
    const { client, calls } = queue((entries) => {
      if (entries.some(({ MessageBody }) => MessageBody === 'bad')) throw new Error('InvalidMessageContents');
      return [];
    });
    const left = await deadLetters(client, 'url', (error) => errors.push(error))([
      deadLetter('a'),
      deadLetter('b', 'bad'),
      deadLetter('c'),
    ]);
    expect([...left]).toEqual(['b']);
    expect(errors).toHaveLength(1);
    expect(calls.map((entries) => entries.length)).toEqual([3, 1, 1, 1]);
  });

  test('of one order are sent one after another, and none behind one that was not accepted', async () => {
    const { client, calls } = queue((entries) => {
      return entries.filter(({ MessageBody }) => MessageBody === 'a1').map(({ Id }) => Id);
    });
    const left = await deadLetters(
      client,
      'url',
      ignore,
    )([
      { ...deadLetter('a1', 'a1'), order: 'a' },
      { ...deadLetter('b1', 'b1'), order: 'b' },
      { ...deadLetter('a2', 'a2'), order: 'a' },
      { ...deadLetter('b2', 'b2'), order: 'b' },
    ]);
    expect([...left]).toEqual(['a1', 'a2']);
    expect(calls.at(-1)?.map(({ MessageBody }) => MessageBody)).toEqual(['b2']);
  });
});
