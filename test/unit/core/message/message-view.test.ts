import { messageView } from '../../../../functions/core/message/message-view.ts';
import { record } from '../../adapters/dynamodb/blocked-ordering-keys.ts';

const ERASED = { body_erased_at: '2026-11-14T10:00:00.000Z' };
const { resource: _, ...withoutBody } = record(1);

test('an erased body is gone, and since when is told', () => {
  expect(messageView({ ...withoutBody, ...ERASED }, [], undefined)).toMatchObject(ERASED);
  for (const resource of [undefined, '', '{"amount":1}']) {
    expect(messageView({ ...withoutBody, ...ERASED }, [], resource)).not.toHaveProperty('body');
  }
});

test('a message whose worker died says that an attempt may be missing, also if no further one was made', () => {
  const cancelled = { ...withoutBody, state: 'cancelled', state_reason: 'deleted' } as const;
  expect(messageView({ ...cancelled, earlier_may_be_missing: true }, [], '')).toMatchObject({
    earlier_may_be_missing: true,
    attempts: [],
  });
});

test('an erased resource is no body', () => {
  expect(messageView(withoutBody, [], '')).not.toHaveProperty('body');
});
