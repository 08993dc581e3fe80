import * as fc from 'fast-check';

/** What a partner may want only: some events, or some fields of each resource. */
export type Taste = 'filter' | 'fields' | undefined;

/** As a partner writes filters, and what is taken by the end of an event's id. */
export const FILTERS = {
  most: {
    text: JSON.stringify({ resource: { event_id: [{ 'anything-but': { suffix: ['3', '6'] } }] } }),
    takes: /[^36]$/,
  },
  even: {
    text: JSON.stringify({ resource: { event_id: ['0', '2', '4', '6', '8'].map((suffix) => ({ suffix })) } }),
    takes: /[02468]$/,
  },
} as const;
export type FilterName = keyof typeof FILTERS;

/** What endpoints of worlds need to react. */
export const FIELDS = ['/event_id', '/payment_id', '/input'];
export const MEMBERS_WITH_FIELDS = 'event_id,payment_id,input';

/** What a partner wants from an instant on, in ms from the start. Null: everything. */
export type Narrowing = { readonly atMs: number } & (
  | { readonly kind: 'filter'; readonly filter: FilterName | null }
  | { readonly kind: 'fields'; readonly fields: readonly string[] | null }
);

export function startsWith(taste: Taste) {
  return taste === 'filter' ? { filter: FILTERS.most.text } : taste === 'fields' ? { fields: FIELDS } : {};
}

const atMs = fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 600_000 }));

export const narrowings: fc.Arbitrary<Narrowing[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Narrowing[]>([]) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.oneof(
          {
            weight: 2,
            arbitrary: fc.record({
              atMs,
              kind: fc.constant('filter' as const),
              filter: fc.constantFrom('most', 'even', null),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              atMs,
              kind: fc.constant('fields' as const),
              fields: fc.constantFrom(FIELDS, null),
            }),
          },
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => [...all].sort((one, other) => one.atMs - other.atMs)),
  },
);
