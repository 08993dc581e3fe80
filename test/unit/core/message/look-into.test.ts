import { lookInto } from '../../../../functions/core/message/look-into.ts';
import type { PastMessage, Selection } from '../../../../functions/core/message/recovery.ts';
import { messageRecord } from '../../api/builders.ts';
import { at, pastMessage } from '../../pipeline/wake/world.ts';

const ALL = Number.POSITIVE_INFINITY;
const selection: Selection = { since: at(-60_000), until: at(0), started_at: at(0) };
const large: Selection = {
  ...selection,
  filter: JSON.stringify({ resource: { amount: [{ numeric: ['>=', 10_000] }] } }),
};

/** Given up, one each ms; the amount of each is its number, and every tenth is a large one. */
const givenUp = (count: number, instantOf = (index: number) => index) =>
  Array.from({ length: count }, (_, index) => pastMessage(index, instantOf(index) - 60_000));

/** What they say, and how many were read at once. */
function contents() {
  const reads: number[] = [];
  return {
    reads,
    read: async (messages: readonly PastMessage[]) => {
      reads.push(messages.length);
      return new Map(
        messages.map(({ message_id, order_number }) => {
          const amount = Number(order_number) * (Number(order_number) % 10 === 0 ? 10_000 : 1);
          return [message_id, { record: messageRecord(), resource: JSON.stringify({ amount }) }] as const;
        }),
      );
    },
  };
}

const numbersOf = (messages: readonly PastMessage[]) =>
  messages.map(({ order_number }) => Number(order_number));

test('without a filter nothing is read, and the page is looked into as it is', async () => {
  const { read, reads } = contents();
  const page = { messages: givenUp(3), continueAt: at(-7) };
  expect(await lookInto(selection, page, 1, read)).toEqual({ page, wanted: page.messages, read: 0 });
  expect(reads).toEqual([]);
});

test('a filter takes messages by what they say; what is left of no message is not wanted', async () => {
  const { read } = contents();
  const page = { messages: givenUp(25) };
  const { wanted, ...rest } = await lookInto(large, page, ALL, read);
  expect({ ...rest, wanted: numbersOf(wanted) }).toEqual({ page, read: 25, wanted: [10, 20] });
  expect((await lookInto(large, page, ALL, async () => new Map())).wanted).toEqual([]);
});

test('only messages that may be wanted are read: not those of other payments, types or states', async () => {
  const { read, reads } = contents();
  const narrowed = { ...large, payment_ids: ['pay-10', 'pay-11'] };
  const { wanted } = await lookInto(narrowed, { messages: givenUp(25) }, ALL, read);
  expect(numbersOf(wanted)).toEqual([10]);
  expect(reads).toEqual([2]);
});

test('a hundred are read at once until enough are wanted; the rest of the page is left', async () => {
  const { read, reads } = contents();
  const looked = await lookInto(large, { messages: givenUp(450), continueAt: at(-7) }, 15, read);
  expect(reads).toEqual([100, 100]);
  expect(looked.page.messages).toHaveLength(200);
  expect(looked.page.continueAt).toBe(at(200 - 60_000));
  expect(looked.wanted).toHaveLength(19);
});

test('at most five hundred are read, however few are wanted', async () => {
  const { reads, read } = contents();
  const looked = await lookInto(large, { messages: givenUp(900) }, ALL, read);
  expect(reads).toEqual([100, 100, 100, 100, 100]);
  expect(looked).toMatchObject({ read: 500, page: { continueAt: at(500 - 60_000) } });
});

test('an instant is looked into as a whole: the next page begins with one, and what it has is wanted once', async () => {
  // From the 196th on, ten have the same instant.
  const messages = givenUp(300, (index) => (index < 195 || index > 204 ? index : 195));
  const { page, wanted } = await lookInto(large, { messages }, 12, contents().read);
  expect(page).toEqual({ messages: messages.slice(0, 195), continueAt: at(195 - 60_000) });
  expect(numbersOf(wanted).at(-1)).toBe(190);
});

test('a page of a single instant is read to its end', async () => {
  const { page, read } = await lookInto(large, { messages: givenUp(700, () => 5) }, 1, contents().read);
  expect([page.messages.length, page.continueAt, read]).toEqual([700, undefined, 700]);
});
