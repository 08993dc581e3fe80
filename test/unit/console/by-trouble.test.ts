import { byTrouble } from '../../../console/subscriptions/by-trouble.ts';

type One = Parameters<typeof byTrouble>[0][number] & { readonly name: string };
const one = (name: string, circuit: One['circuit'], over: Partial<One> = {}): One => ({
  name,
  state: 'active',
  circuit,
  ...over,
});
const since = (minute: number) => ({
  in_trouble_since: `2026-11-23T11:0${minute}:00.000Z`,
  next_probe_at: '2026-11-23T12:00:00.000Z',
});

test('trouble comes first, the longest of its kind before the others, and what is well stays in its order', () => {
  const given = [
    one('well', { state: 'closed' }),
    one('paused', { state: 'open' }, { state: 'paused' }),
    one('unproven', { state: 'open' }, { state: 'unproven' }),
    one('recovers', { state: 'draining', ...since(1) }),
    one('fails lately', { state: 'open', ...since(5) }),
    one('stopped by hand', { state: 'open', in_trouble_since: since(0).in_trouble_since }),
    one('fails for long', { state: 'half_open', ...since(2) }),
    one('also well', { state: 'closed' }),
    one('disabled', { state: 'open' }, { state: 'disabled' }),
  ];
  expect(byTrouble(given).map(({ name }) => name)).toEqual([
    'disabled',
    'unproven',
    'fails for long',
    'fails lately',
    'recovers',
    'stopped by hand',
    'paused',
    'well',
    'also well',
  ]);
});
