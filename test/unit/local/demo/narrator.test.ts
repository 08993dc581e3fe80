import { narrator } from '../../../../local/demo/narrator.ts';

const seen = (...states: ('closed' | 'open' | 'half_open' | 'draining')[]) => {
  const tell = narrator();
  return states.map((state) =>
    tell([{ description: 'outage', circuit: { state, since: '2026-11-14T10:00:00.000Z' } as never }]).map(
      ({ text }) => text,
    ),
  );
};

test('a circuit is told of when its state changes, and only then', () => {
  expect(seen('closed', 'open', 'open', 'half_open', 'draining', 'closed')).toEqual([
    [],
    [expect.stringContaining('circuit opens')],
    [],
    [expect.stringContaining('probe')],
    [expect.stringContaining('in order')],
    [expect.stringContaining('closed')],
  ]);
});

test('each subscription has its own circuit', () => {
  const tell = narrator();
  const both = (one: string, other: string) =>
    [
      { description: 'quick', circuit: { state: one } },
      { description: 'outage', circuit: { state: other } },
    ] as never;
  tell(both('closed', 'closed'));
  expect(tell(both('closed', 'open'))).toEqual([{ subscription: 'outage', text: expect.any(String) }]);
});
