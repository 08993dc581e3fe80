import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { heldItem } from '../../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { sequenceTable } from '../../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { NewerFormatError } from '../../../../../functions/core/event/format-version.ts';
import { newSequence } from '../../../../../functions/core/sequence/payment-sequence.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { heldOf } from '../../../../support/promises/held-event.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { conditionFailed } from '../cancelled.ts';

const NAME = { service_id: 'bakery', payment_id: 'pay-1', sequence: 2, event_id: 'evt-2' };

function tableThat(answer: () => unknown) {
  const { client } = recordingClient<DynamoDBClient>(answer);
  return sequenceTable(client, { table: 'sequences', now: () => TEN_O_CLOCK_MS, onInternalError() {} });
}

test.each([
  ['a form that nobody knows', { public_type: 7 }, Error],
  ['a newer format', { format_version: 2 }, NewerFormatError],
])('an event that waits, of %s, is there, and its item is named', async (_, over, type) => {
  const item = { ...heldItem(heldOf('pay-1', 2)), ...over };
  const table = tableThat(() => ({
    Responses: { sequences: [marshall(item, { removeUndefinedValues: true })] },
  }));
  const [held] = await table.held([NAME]);
  expect(held).toBeInstanceOf(type);
  expect(String(held)).toContain('early_event#0000000002#evt-2');
});

test('an event that waits no more is undefined', async () => {
  expect(await tableThat(() => ({ Responses: { sequences: [] } })).held([NAME])).toEqual([undefined]);
});

test.each([
  ['is taken for written, in whatever order DynamoDB answers its members', {}, 1],
  ['is not, when another worker has written something else', { next: 7 }, undefined],
])('a write that meets itself, since its answer was lost, %s', async (_, over, revision) => {
  const position = (message_id: string) => ({ position: 1, message_id });
  const known = {
    ...newSequence(NAME, 'shard-01'),
    sent: { sub_1: position('msg_1'), sub_2: position('msg_2') },
  };
  const stored = {
    ...known,
    ...over,
    revision: 1,
    sent: { sub_2: position('msg_2'), sub_1: position('msg_1') },
  };
  const table = tableThat(() => {
    throw conditionFailed(stored);
  });
  expect((await table.advance(undefined, known, undefined))?.revision).toBe(revision);
});
