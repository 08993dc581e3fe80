import { redrivenWorld } from './people/redriven-world.ts';

const WORLDS = 20;
const PATIENCE_MS = 120_000;

test(
  'a redrive after ten minutes without tables loses nothing and keeps each payment in order',
  async () => {
    const sum = { events: 0, deliveries: 0 };
    for (let dice = 1; dice <= WORLDS; dice += 1) {
      const { broken, putBack } = await redrivenWorld(dice);
      expect([dice, broken]).toEqual([dice, []]);
      sum.events += putBack.events;
      sum.deliveries += putBack.deliveries;
    }
    expect(sum.events).toBeGreaterThan(10 * WORLDS);
    expect(sum.deliveries).toBeGreaterThan(10 * WORLDS);
  },
  PATIENCE_MS,
);
