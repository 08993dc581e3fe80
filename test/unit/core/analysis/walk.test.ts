import { inMemoryStageFigures } from '../../../../functions/core/analysis/ports.ts';
import { type Place, steps, subscriptionsOf } from '../../../../functions/core/analysis/walk.ts';

const STAGE = { bakery: ['sub_1', 'sub_2'], empty: [], shop: ['sub_3'] };
const named = ({ service_id, subscription_id = '.' }: Place) => `${service_id} ${subscription_id}`;
const ALL = ['bakery sub_1', 'bakery sub_2', 'bakery .', 'empty .', 'shop sub_3', 'shop .'];

async function walked(limit: number, only?: string): Promise<string[]> {
  const found: string[] = [];
  let after: Place | undefined;
  do {
    const { places, next } = await steps(
      subscriptionsOf(inMemoryStageFigures(STAGE), { only, after }),
      limit,
    );
    found.push(...places.map(named));
    after = next;
  } while (after !== undefined);
  return found;
}

test.each([1, 2, 3, 5, 6, 100])(
  'in steps of %d a walk meets each subscription once, in order',
  async (limit) => {
    expect(await walked(limit)).toEqual(ALL);
    expect(await walked(limit, 'bakery')).toEqual(ALL.slice(0, 3));
  },
);

test('more services than are read at once', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`service-${String(index).padStart(3, '0')}`, ['sub_1']]),
  );
  const { places } = await steps(subscriptionsOf(inMemoryStageFigures(many), {}), 1_000);
  expect(places.filter(({ subscription_id }) => subscription_id !== undefined)).toHaveLength(250);
});

test('a walk continues behind a subscription that has been deleted meanwhile', async () => {
  const after = { service_id: 'bakery', subscription_id: 'sub_15' };
  const { places } = await steps(subscriptionsOf(inMemoryStageFigures(STAGE), { after }), 10);
  expect(places.map(named)).toEqual(ALL.slice(1));
});
