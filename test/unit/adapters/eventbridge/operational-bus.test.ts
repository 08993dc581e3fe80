import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { operationalBus } from '../../../../functions/adapters/eventbridge/operational-bus.ts';
import type { OperationalEvent } from '../../../../functions/core/operational-events/operational-event.ts';

type Entries = NonNullable<PutEventsCommand['input']['Entries']>;
type Sent = { readonly entries: Entries; readonly abortSignal: AbortSignal };

function busThat(answers: (sent: Sent) => Promise<object>) {
  const calls: Entries[] = [];
  const client = {
    async send({ input }: PutEventsCommand, { abortSignal }: { abortSignal: AbortSignal }) {
      const entries = input.Entries ?? [];
      calls.push(entries);
      return answers({ entries, abortSignal });
    },
  };
  return { put: operationalBus(client as unknown as EventBridgeClient, 'payhooks-dev'), calls };
}
const accepting = async ({ entries }: Sent) => ({ Entries: entries.map(() => ({ EventId: 'a' })) });

const event = (id: string): OperationalEvent => ({
  v: 1,
  id,
  type: 'subscription.paused',
  at: '2026-11-14T10:00:00.000Z',
  service_id: 'bakery',
  subscription_id: 'sub_1',
  previous_state: 'active',
});
const events = (count: number) => Array.from({ length: count }, (_, number) => event(`op_${number}`));

test('an event is sent with a source that no rule for payment events matches', async () => {
  const { put, calls } = busThat(accepting);
  expect(await put([event('op_1')])).toEqual([]);
  expect(calls).toEqual([
    [
      {
        EventBusName: 'payhooks-dev',
        Source: 'payhooks',
        DetailType: 'subscription.paused',
        Time: new Date('2026-11-14T10:00:00.000Z'),
        Detail: JSON.stringify(event('op_1')),
      },
    ],
  ]);
});

test('ten are sent in one call', async () => {
  const { put, calls } = busThat(accepting);
  await put(events(23));
  expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
});

test('those that the bus refuses are lost, and no others', async () => {
  const { put } = busThat(async () => ({
    Entries: [{ EventId: 'a' }, { ErrorCode: 'ThrottlingException' }, { EventId: 'c' }],
  }));
  expect(await put(events(3))).toEqual([{ event: event('op_1'), reason: 'ThrottlingException' }]);
});

test('a failed call is not repeated, loses its own events, and does not throw', async () => {
  const { put, calls } = busThat(async (sent) =>
    sent.entries.length < 10 ? Promise.reject(new Error('AccessDenied')) : accepting(sent),
  );
  expect(await put(events(12))).toEqual([
    { event: event('op_10'), reason: 'Error: AccessDenied' },
    { event: event('op_11'), reason: 'Error: AccessDenied' },
  ]);
  expect(calls).toHaveLength(2);
});

test('a bus that hangs is abandoned: the function has its own work to finish', async () => {
  const { put } = busThat(
    ({ abortSignal }) =>
      new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
      }),
  );
  expect(await put([event('op_1')])).toEqual([
    { event: event('op_1'), reason: expect.stringContaining('TimeoutError') },
  ]);
});
