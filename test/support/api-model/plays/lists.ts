import fc from 'fast-check';
import type { Sample, Sent } from '../play.ts';
import type { Answered, KnownCursor } from '../world.ts';

type Params = Readonly<Record<string, string>>;

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** Cursors that nobody was given. */
const HOSTILE_CURSORS = [
  ...['', 'abc', '%00', '=', '"', 'a'.repeat(5_000)],
  ...['null', '[]', '{}', '{"message_id":"sub_1"}', '["2026-11-14T10:00:00.000Z"]', '[1,2]', '"a"'].map(
    base64url,
  ),
  base64url('{"message_id":"msg_1#x","admitted_at":"2026-11-14T10:00:00.000Z"}'),
  base64url('{"message_id":"msg_1","admitted_at":"2026-11-14T10:00:00.000Z","service_id":"other"}'),
  base64url('["2026-11-14T10:00:00.000Z","a b"]'),
];

/** The limit, and where to go on: from a cursor of the service, or one of the stranger. */
export const pageQuery = (
  max: number,
  filters: fc.Arbitrary<Sample<Params>>,
  of: KnownCursor['of'] = 'messages',
): fc.Arbitrary<Sample<Params>> =>
  fc.oneof<fc.WeightedArbitrary<Sample<Params>>[]>(
    {
      weight: 6,
      arbitrary: fc
        .record({
          limit: fc.constantFrom('1', '2', '7', String(max), undefined),
          from: fc.constantFrom('start', 'start', 'own', 'own', 'stranger'),
          pick: fc.nat(99),
          filters,
        })
        .map(({ limit, from, pick, filters: filter }) => ({
          ...filter,
          value: (at) => {
            const whose = from === 'stranger' ? at.stranger : at.service;
            const known = whose.cursors.filter((one) => one.of === of);
            const cursor = from === 'start' ? undefined : known[pick % Math.max(1, known.length)]?.cursor;
            return {
              ...filter.value(at),
              ...(limit === undefined ? {} : { limit }),
              ...(cursor === undefined ? {} : { cursor }),
            };
          },
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<Params>(
          ...HOSTILE_CURSORS.map((cursor) => ({ cursor })),
          ...['0', String(max + 1), '-1', '1.0', ' 1', '01', ''].map((limit) => ({ limit })),
          { colour: 'red' },
        )
        .map((params) => ({ value: () => params, refusal: 'malformed-request' })),
    },
  );

/** The ids or names that a page should show; undefined where the model cannot say. */
export function expectedPage(
  { request, query, service, tested }: Pick<Sent, 'request' | 'query' | 'service' | 'tested'>,
  whole: readonly string[],
): readonly string[] | undefined {
  if (!tested.isExact) {
    return undefined;
  }
  const { cursor, limit = '20' } = query;
  const known = service.cursors.find((one) => one.cursor === cursor && one.list === listOf(request, query));
  const rest = cursor === undefined ? whole : known?.rest;
  return rest?.slice(0, Number(limit));
}

/** Keeps the cursor of a page for later, with what must come then. */
export function learnPage(sent: Sent, { body }: Answered, whole: readonly string[]): void {
  const { service, request, query } = sent;
  const { cursor, limit = '20' } = query;
  const list = listOf(request, query);
  const from =
    cursor === undefined
      ? whole
      : service.cursors.find((one) => one.cursor === cursor && one.list === list)?.rest;
  if (from === undefined) {
    return;
  }
  const rest = from.slice(Number(limit));
  if (sent.tested.isExact) {
    expect(body.next_cursor !== undefined).toBe(rest.length > 0);
  }
  if (body.next_cursor !== undefined) {
    const of = request.path === '/v1/changes' ? 'changes' : 'messages';
    service.cursors.push({ cursor: body.next_cursor, of, list, rest });
  }
}

function listOf({ path, params }: Sent['request'], { limit: _, cursor: __, ...filters }: Params): string {
  return JSON.stringify([path, params, Object.entries(filters).sort()]);
}
