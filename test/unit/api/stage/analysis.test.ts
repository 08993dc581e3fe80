import { inMemoryStageFigures } from '../../../../functions/core/analysis/ports.ts';
import { opaque as of } from '../../../../functions/core/api/cursor.ts';
import { inMemoryHistory } from '../../../../functions/core/message/message-history.ts';
import { NO_DISTRIBUTIONS, NOTHING } from '../../../../functions/core/statistics/statistics.ts';
import { messageRecord } from '../builders.ts';
import { stageWorld } from './stage-world.ts';

const PERIOD = 'since=2026-11-10T00:00:00Z&until=2026-11-15T00:00:00Z';
const hour = (since: string) => ({
  since,
  ...NOTHING,
  ...NO_DISTRIBUTIONS,
  delivered: 2,
  acknowledged_within_60_s: 1,
  acknowledged: { 40: 1, 68: 1 },
  failures: { 503: 4 },
  failed_attempts: 4,
});

const many = Array.from({ length: 60 }, (_, index) => `sub_${String(index).padStart(2, '0')}`);
const undelivered = ['exhausted', 'parked', 'succeeded', 'cancelled', 'retrying'] as const;
const messages = many.flatMap((subscription_id, index) =>
  undelivered.map((state, one) => ({
    record: messageRecord({
      message_id: `msg_${index}_${one}`,
      subscription_id,
      state,
      admitted_at: '2026-11-12T10:00:00.000Z',
    }),
    laterAttempts: [],
  })),
);
messages.push({
  record: messageRecord({
    message_id: 'msg_ping',
    subscription_id: 'sub_00',
    event_type: 'ping',
    state: 'exhausted',
    admitted_at: '2026-11-12T10:00:00.000Z',
  }),
  laterAttempts: [],
});
const figures = () =>
  inMemoryStageFigures(
    { shop: many, zoo: [] },
    Object.fromEntries(
      many.map((id) => [id, [hour('2026-11-14T09:00:00.000Z'), hour('2026-11-14T23:00:00.000Z')]]),
    ),
    inMemoryHistory(messages).page,
  );

async function analyst() {
  const stage = stageWorld({ figures });
  const { token } = await stage.signedIn('analyst');
  return (path: string) => stage.call('GET', path, token);
}

interface Page {
  readonly rows: Record<string, unknown>[];
  readonly messages: Record<string, unknown>[];
  readonly next_cursor?: string;
}

async function pagesOf(path: string): Promise<{ pages: number; bodies: Page[] }> {
  const ask = await analyst();
  const bodies: Page[] = [];
  let cursor = '';
  do {
    const { status, body } = await ask(`${path}${cursor}`);
    expect(status).toBe(200);
    bodies.push(body);
    cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  return { pages: bodies.length, bodies };
}

test('services are listed by name, with what it cost', async () => {
  const ask = await analyst();
  expect((await ask('/stage/services')).body).toEqual({
    services: [{ service_id: 'shop' }, { service_id: 'zoo' }],
    read_units: 0.5,
  });
});

test('statistics of all subscriptions come a page at a time, by day of a time zone', async () => {
  const { pages, bodies } = await pagesOf(`/stage/statistics?${PERIOD}&time_zone=Europe/Berlin`);
  expect(pages).toBe(3);
  const rows = bodies.flatMap(({ rows }) => rows);
  expect(new Set(rows.map(({ subscription_id }) => subscription_id)).size).toBe(60);
  expect(rows).toHaveLength(120);
  expect(rows.slice(0, 2)).toEqual(
    ['2026-11-14', '2026-11-15'].map((since) => ({
      service_id: 'shop',
      subscription_id: 'sub_00',
      since,
      delivered: 2,
      acknowledged_within_60_s: 1,
      failed_attempts: 4,
      exhausted: 0,
      cancelled: 0,
      failures: [{ reason: '503', count: 4 }],
      acknowledged: [
        { up_to_ms: 1_024, count: 1 },
        { up_to_ms: 131_072, count: 1 },
      ],
    })),
  );
});

test('what nobody acknowledged is listed once, whatever the pages, without what was delivered', async () => {
  const { pages, bodies } = await pagesOf(`/stage/unacknowledged?${PERIOD}`);
  expect(pages).toBeGreaterThan(2);
  const found = bodies.flatMap(({ messages: some }) => some);
  expect(found).toHaveLength(240);
  expect(new Set(found.map(({ message_id }) => message_id)).size).toBe(240);
  expect(found.map(({ state }) => state)).not.toContain('succeeded');
  expect(found[0]).toMatchObject({ service_id: 'shop', payment_id: 'pay_1' });
  expect(found[0]).not.toHaveProperty('body');
});

test('it can be narrowed to a type, and to live payments', async () => {
  const ask = await analyst();
  const none = await ask(`/stage/unacknowledged?${PERIOD}&event_type=invoice.paid`);
  expect(none.body.messages).toEqual([]);
  const live = await ask(`/stage/unacknowledged?${PERIOD}&live=${!messages[0]!.record.live}`);
  expect(live.body.messages).toEqual([]);
});

test.each([
  ['/stage/statistics?since=2026-11-10T00:00:00Z', 'until'],
  ['/stage/statistics?since=2026-11-10T00:00:00Z&until=2026-11-09T00:00:00Z', 'later than since'],
  ['/stage/statistics?since=2026-10-01T00:00:00Z&until=2026-11-09T00:00:00Z', 'archive'],
  [`/stage/statistics?${PERIOD}&time_zone=Mars`, 'Europe/London'],
  [`/stage/statistics?${PERIOD}&cursor=e30x`, 'cursor'],
  ['/stage/statistics?since=9999-12-31T00:00:00Z&until=9999-12-31T23:59:59-05:00', 'in UTC as well'],
  [`/stage/statistics?${PERIOD}&service_id=shop&cursor=${of({ service_id: 'bank' })}`, 'of another service'],
  [`/stage/unacknowledged?${PERIOD}&service_id=shop&cursor=${of({ service_id: 'bank' })}`, 'another service'],
  [
    `/stage/unacknowledged?${PERIOD}&cursor=${of({ service_id: 'shop', subscription_id: '', state: 'parked' })}`,
    'cursor',
  ],
  [`/stage/unacknowledged?${PERIOD}&live=yes`, 'live'],
  ['/stage/services?cursor=%7B%7D', 'cursor'],
])('%s is refused with what is wrong', async (path, words) => {
  const ask = await analyst();
  const { status, body } = await ask(path);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(words);
});
