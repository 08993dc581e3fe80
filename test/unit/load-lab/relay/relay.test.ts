import type { RelayedEvent } from '../../../../functions/load-lab/empty-event.ts';
import { relay } from '../../../../functions/load-lab/relay/relay.ts';
import { sunkEventOf } from '../../../../functions/load-lab/sink/sink.ts';

test('an empty event is relayed with the time of its intake, and the sink measures how long it took', async () => {
  const sent: RelayedEvent[] = [];
  const records = [{ body: JSON.stringify({ run: 'r1', number: 7 }), admittedAtMs: 1_000 }];
  await relay(records, async (events) => {
    sent.push(...events);
  });
  expect(sent).toEqual([{ run: 'r1', number: 7, admitted_at_ms: 1_000 }]);
  expect(sunkEventOf(JSON.stringify(sent[0]), 1_009)).toEqual({ run: 'r1', number: 7, time_to_start_ms: 9 });
});

test.each(['', 'null', '{}', '{"run":"r1","number":"7"}'])('%j is not an empty event', async (body) => {
  await expect(relay([{ body, admittedAtMs: 1 }], async () => {})).rejects.toThrow();
  expect(() => sunkEventOf(body, 1)).toThrow();
});

test('events that cannot be relayed are received again', async () => {
  const records = [{ body: '{"run":"r1","number":1}', admittedAtMs: 1 }];
  await expect(relay(records, () => Promise.reject(new Error('not taken')))).rejects.toThrow('not taken');
});
