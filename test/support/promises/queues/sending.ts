import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { deadLetters } from '../../../../functions/adapters/sqs/dead-letters.ts';
import { sendAll } from '../../../../functions/adapters/sqs/queue-batch.ts';
import { signalQueue } from '../../../../functions/adapters/sqs/signal-queues.ts';
import { timerQueue } from '../../../../functions/adapters/sqs/timer-queue.ts';

/** Queues of an engine for SQS. */
export interface QueuesToTest {
  readonly client: SQSClient;
  newQueue(kind: 'fifo' | 'standard'): Promise<string>;
  /** The next records, with their attributes. */
  received(
    queueUrl: string,
    max: number,
  ): Promise<readonly { body: string; attributes: Record<string, string> }[]>;
}

function fail(error: unknown): never {
  throw error;
}

/**
 * What the adapters that send promise: a record that is refused keeps no other back, and what arrives is what
 * was sent.
 */
export function sendingPromises(open: () => QueuesToTest): void {
  const entry = (body: string) => ({ group: randomUUID(), body, deduplicationId: randomUUID() });

  test('a record that is too large keeps no other of its call from being accepted', async () => {
    const { client, newQueue, received } = open();
    const url = await newQueue('fifo');
    const records = Array.from({ length: 12 }, (_, index) =>
      entry(index === 3 ? 'x'.repeat(1_048_577) : `body-${index}`),
    );
    const { untaken, internalErrors } = await sendAll(client, url, records);
    expect({ untaken, errors: internalErrors.length }).toEqual({ untaken: [3], errors: 1 });
    const bodies: string[] = [];
    while (bodies.length < 11) {
      bodies.push(...(await received(url, 10)).map(({ body }) => body));
    }
    expect(new Set(bodies)).toEqual(
      new Set(records.flatMap(({ body }, index) => (index === 3 ? [] : [body]))),
    );
  });

  test('a record whose group is no group is refused alone', async () => {
    const { client, newQueue } = open();
    const bad = { ...entry('bad'), group: 'g'.repeat(129) };
    const { untaken } = await sendAll(client, await newQueue('fifo'), [entry('one'), bad, entry('two')]);
    expect(untaken).toEqual([1]);
  });

  test('characters that SQS refuses come back to a reader of JSON', async () => {
    const { client, newQueue, received } = open();
    const url = await newQueue('fifo');
    const value = { text: 'a\uFFFE\uFFFF\u0001é😀\u2028' };
    await sendAll(client, url, [entry(JSON.stringify(value))]);
    const [record] = await received(url, 10);
    expect(JSON.parse(record?.body ?? '')).toEqual(value);
  });

  test('the longest names make a group', async () => {
    const { client, newQueue } = open();
    const signal = {
      v: 1,
      signal_kind: 'release',
      subscription_id: `sub_${'z'.repeat(26)}`,
      service_id: 's'.repeat(64),
      payment_id: 'P_-0'.repeat(16),
    } as const;
    expect(await signalQueue(client, await newQueue('fifo'), fail)([signal])).toEqual([]);
  });

  test('a dead letter says why, and one that returns is taken once', async () => {
    const { client, newQueue, received } = open();
    const url = await newQueue('fifo');
    const letter = {
      recordId: randomUUID(),
      group: 'g',
      body: '{}',
      reason: 'malformed',
      explanation: 'tab\there, \u0000',
    };
    for (let times = 0; times < 2; times += 1) {
      expect(await deadLetters(client, url, fail)([letter])).toEqual(new Set());
    }
    expect(await received(url, 10)).toEqual([
      { body: '{}', attributes: { Reason: 'malformed', Explanation: 'tab\there, \uFFFD' } },
    ]);
  });

  test('timers wait up to the longest delay, and those that are late do not wait', async () => {
    const { client, newQueue, received } = open();
    const url = await newQueue('standard');
    const timer = (id: string) => ({
      v: 1,
      kind: 'circuit',
      subscription_id: id,
      service_id: 'bakery',
      generation: 1,
    });
    const armings = [
      { timer: timer('late'), dueAtMs: -5_000 },
      { timer: timer('soon'), dueAtMs: 900 },
      { timer: timer('longest'), dueAtMs: 10_000_000 },
    ] as unknown as Parameters<ReturnType<typeof timerQueue>>[0];
    await timerQueue(client, url, () => 0)(armings);
    const ids: string[] = [];
    while (ids.length < 2) {
      ids.push(...(await received(url, 10)).map(({ body }) => JSON.parse(body).subscription_id));
    }
    expect(ids).toEqual(['late', 'soon']);
  });
}
