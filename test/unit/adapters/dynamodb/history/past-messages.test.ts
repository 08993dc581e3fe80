import { pastMessages } from '../../../../../functions/adapters/dynamodb/history/past-messages.ts';
import { messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { at, pastMessage } from '../../../pipeline/wake/world.ts';
import { paged } from '../pages.ts';

/** An index with messages, where a limit of a thousand is four; each page of DynamoDB holds three. */
function indexed(messages: readonly Record<string, unknown>[]) {
  const { client, queries } = paged(
    () => messages.map((one) => ({ ...messageAddress(String(one.message_id)), ...one })),
    { pageSize: 3 },
  );
  const faults: string[] = [];
  const read = pastMessages(client, 'history', ({ message }) => faults.push(message), 4);
  return {
    queries,
    faults,
    read: () =>
      read({ service_id: 'bakery', subscription_id: 'sub_1', continue_at: at(-60_000), until: at(0) }),
  };
}
const several = (...admittedMs: number[]) => admittedMs.map((ms, index) => pastMessage(index, ms));

test('an instant that fills more than a page is read completely', async () => {
  const messages = several(-9, -9, -9, -9, -9, -9, -9, -8, -7);
  expect(await indexed(messages).read()).toEqual({ messages: messages.slice(0, 8), continueAt: at(-7) });
});

test('unreadable messages are skipped', async () => {
  const [first, second] = several(-9, -8);
  const { read, faults } = indexed([{ ...first, state: 'odd' }, { ...second }]);
  expect(await read()).toEqual({ messages: [second] });
  expect(faults).toEqual(['message_id msg_0: cannot be read; see state']);
});

test('the service is that of the recovery: the index has no room for it', async () => {
  const { service_id: _, ...indexedAttributes } = pastMessage(1, -9);
  expect(await indexed([indexedAttributes]).read()).toEqual({ messages: [pastMessage(1, -9)] });
});

test('a time span that has been read completely is not queried again', async () => {
  const { client, queries } = paged(() => []);
  const read = pastMessages(client, 'history', () => {});
  expect(
    await read({ service_id: 'bakery', subscription_id: 'sub_1', continue_at: at(0), until: at(0) }),
  ).toEqual({
    messages: [],
  });
  expect(queries).toEqual([]);
});
