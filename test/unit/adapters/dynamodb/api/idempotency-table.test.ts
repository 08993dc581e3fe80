import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { idempotencyStore } from '../../../../../functions/adapters/dynamodb/api/idempotency-table.ts';
import type { Answer } from '../../../../../functions/core/api/answer.ts';
import type { Idempotency, IdempotentRequest } from '../../../../../functions/core/api/idempotency.ts';
import { conditionFailed } from '../pages.ts';

type Item = Record<string, unknown>;
type Command = PutItemCommand | UpdateItemCommand | DeleteItemCommand;

/** A table that understands what Powertools writes. `broken`: the commands that it refuses. */
function table({
  remainingMs = (): number => 20_000,
  broken = [] as (typeof UpdateItemCommand | typeof DeleteItemCommand)[],
} = {}) {
  const items = new Map<unknown, Item>();
  const client = new DynamoDBClient({ region: 'eu-west-1' });
  client.send = (async (command: Command) => {
    if (broken.some((kind) => command instanceof kind)) {
      throw new Error('throttled');
    }
    if (command instanceof PutItemCommand) {
      const item = unmarshall(command.input.Item ?? {});
      const known = items.get(item.request);
      if (known !== undefined && !isOver(known)) {
        throw conditionFailed(known);
      }
      items.set(item.request, item);
    } else {
      const { request } = unmarshall(command.input.Key ?? {});
      if (command instanceof DeleteItemCommand) {
        items.delete(request);
      } else {
        items.set(request, { ...items.get(request), ...setBy(command) });
      }
    }
    return {};
  }) as unknown as DynamoDBClient['send'];
  const lost: Error[] = [];
  const store = idempotencyStore(client, {
    table: 'idempotency',
    lost: (error) => lost.push(error),
  });
  return { store: ending(store, remainingMs), items, lost, client };
}

/** The store, called by invocations with this much time left. */
function ending(store: Idempotency, remainingMs: () => number) {
  return {
    once: (request: IdempotentRequest, act: () => Promise<Answer>) => store.once(request, act, remainingMs),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise(setImmediate);
  }
}

/** The condition of the put: the worker of the first request ended without an answer. */
function isOver({ status, in_progress_until_ms }: Item): boolean {
  return status === 'INPROGRESS' && Number(in_progress_until_ms) < Date.now();
}

function setBy({ input }: UpdateItemCommand): Item {
  const values = unmarshall(input.ExpressionAttributeValues ?? {});
  const assignments = [...(input.UpdateExpression ?? '').matchAll(/(#\w+) = (:\w+)/g)];
  return Object.fromEntries(
    assignments.map(([, name = '', value = '']) => [input.ExpressionAttributeNames?.[name], values[value]]),
  );
}

const request = { serviceId: 'shop', key: 'k', fingerprint: 'a' };
const created = { status: 201, body: { subscription_id: 'sub_1' } };

test('the table stores a hash of the key and the answer without its secret, for a day', async () => {
  const { store, items } = table();

  await store.once(request, async () => ({ ...created, once: { signing_secret: 'whsec_x' } }));

  const [item] = items.values();
  expect(item).toEqual({
    request: expect.stringMatching(/^v1#[\w+/=]{44}$/),
    status: 'COMPLETED',
    fingerprint: expect.any(String),
    answer: JSON.stringify(created),
    in_progress_until_ms: expect.any(Number),
    remove_at_epoch_seconds: expect.any(Number),
  });
  const aheadSeconds = Number(item?.remove_at_epoch_seconds) - Date.now() / 1_000;
  expect(Math.abs(aheadSeconds - 86_400)).toBeLessThan(60);
});

test('a request is in progress until its invocation ends, whatever time others have left', async () => {
  const { client, items } = table();
  const store = idempotencyStore(client, { table: 'idempotency', lost: () => {} });
  const begun = Date.now();
  const never = () => new Promise<Answer>(() => {});
  void store.once(request, never, () => 20_000);
  void store.once({ ...request, key: 'l' }, never, () => 1_000);
  await until(() => items.size === 2);

  const leftMs = [...items.values()].map((item) => Number(item.in_progress_until_ms) - begun);
  expect(leftMs.map((ms) => Math.round(ms / 1_000))).toEqual([20, 1]);
});

test('a request whose worker died may be repeated once its invocation would have ended', async () => {
  const { store, items } = table({ remainingMs: () => 20_000 });
  let died = () => {};
  // A worker that never returns.
  void store.once(request, () => new Promise(() => died()));
  await new Promise<void>((resolve) => (died = resolve));
  expect(await store.once(request, async () => created)).toEqual({ kind: 'in_progress' });

  const [item] = items.values();
  items.set(item?.request, { ...item, in_progress_until_ms: Date.now() - 1 });

  expect(await store.once(request, async () => created)).toMatchObject({ kind: 'done', isRepeat: false });
});

test('a worker without time left does not block a key for a day', async () => {
  const { store, items } = table({ remainingMs: () => 0 });
  await store.once(request, async () => created);
  expect([...items.values()]).toMatchObject([{ in_progress_until_ms: expect.any(Number) }]);
});

test('an answer that cannot be stored is still returned', async () => {
  const { store, lost } = table({ broken: [UpdateItemCommand] });
  expect(await store.once(request, async () => created)).toEqual({
    kind: 'done',
    answer: created,
    isRepeat: false,
  });
  expect(lost).toHaveLength(1);
});

test('a refusal is returned even when its key cannot be released', async () => {
  const { store, lost } = table({ broken: [DeleteItemCommand] });
  const refused = { status: 422, body: {} };
  expect(await store.once(request, async () => refused)).toEqual({
    kind: 'done',
    answer: refused,
    isRepeat: false,
  });
  expect(lost).toHaveLength(1);
});

test('creation throws when the environment disables idempotency', () => {
  process.env.POWERTOOLS_IDEMPOTENCY_DISABLED = 'true';
  try {
    expect(() => table()).toThrow('POWERTOOLS_IDEMPOTENCY_DISABLED is set');
  } finally {
    delete process.env.POWERTOOLS_IDEMPOTENCY_DISABLED;
  }
});
