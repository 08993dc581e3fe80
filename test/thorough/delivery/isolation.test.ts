import { steps } from '../../support/deployed/happening.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  accepted,
  barrier,
  overtakers,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';

const ENDPOINTS = 10;
const STEPS = 3;

let partner: ScriptedPartner | undefined;

afterEach(async () => {
  await partner?.stop();
  partner = undefined;
});

/**
 * Hanging requests are released only after all others have received everything, and their deadline is half a
 * minute: if anybody waited for them, the barrier would stay closed.
 */
test.each([
  ['one of ten endpoints hangs', 1, 4],
  ['nine of ten endpoints hang', 9, 2],
])(
  'while %s, the others receive everything, and the hanging ones continue when released',
  async (_, hanging, count) => {
    const door = barrier();
    const names = Array.from({ length: ENDPOINTS }, (_, index) =>
      index < hanging ? `hanging-${index}` : `healthy-${index}`,
    );
    partner = await scriptedPartner(async ({ endpoint }) => {
      if (endpoint.startsWith('hanging')) await door.opened;
      return ACCEPTED;
    });
    const { arrivals, url } = partner;
    const subscriptions = await Promise.all(
      names.map(async (name) => service.subscribe(url(name), { timeout_ms: 30_000 })),
    );
    const payments = Array.from({ length: count }, (_, index) => `pay-${index}`);
    await stack.publish(...steps(service, payments, STEPS));

    const isComplete = (name: string) => accepted(arrivals(name)).length === count * STEPS;
    const isHealthy = (name: string) => name.startsWith('healthy');
    await eventually(
      'the healthy endpoints have received everything while the others hang',
      async () =>
        names.filter(isHealthy).every(isComplete) &&
        names.every((name) => isHealthy(name) || arrivals(name).length === count),
      { deadlineMs: 25_000 },
    );
    const held = names.filter((name) => !isHealthy(name)).flatMap((name) => arrivals(name));
    expect(held).toHaveLength(hanging * count);
    expect(held.filter(({ status, senderLeft }) => status !== undefined || senderLeft)).toEqual([]);

    door.open();
    for (const { id } of subscriptions) {
      const all = await service.messages(
        id,
        (messages) =>
          messages.length === count * STEPS && messages.every(({ state }) => state === 'succeeded'),
      );
      expect(all.map(({ attempt_count }) => attempt_count)).toEqual(all.map(() => 1));
    }
    for (const name of names) {
      expect(overtakers(arrivals(name))).toEqual([]);
      expect(new Set(accepted(arrivals(name))).size).toBe(count * STEPS);
    }
  },
);
