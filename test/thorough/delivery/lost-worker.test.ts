import type { Service } from '../../support/deployed/deployed-stack.ts';
import { steps } from '../../support/deployed/happening.ts';
import { killWorker } from '../../support/deployed/lambda-worker.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  type Arrival,
  accepted,
  barrier,
  overtakers,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';

/** The visibility timeout of the records that it had received. */
const VISIBILITY_MS = 90_000;
const STEPS = 3;
const QUICK = ['pay-quick-1', 'pay-quick-2', 'pay-quick-3'];
const HELD = ['pay-held-1', 'pay-held-2', 'pay-held-3'];

let service: Service;
let partner: ScriptedPartner;
let subscriptionId: string;
let lost: readonly Arrival[];

beforeAll(async () => {
  service = await stack.newService();
  const door = barrier();
  partner = await scriptedPartner(async ({ payment_id }) => {
    if (HELD.includes(payment_id)) await door.opened;
    return ACCEPTED;
  });
  const { id } = await service.subscribe(partner.url('partner'), { timeout_ms: 30_000 });
  subscriptionId = id;
  await stack.publish(...steps(service, [...QUICK, ...HELD], STEPS));

  const held = () => partner.arrivals().filter(({ payment_id }) => HELD.includes(payment_id));
  await eventually('the quick ones are recorded, the others still held', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?state=succeeded`);
    return body.messages.length === QUICK.length * STEPS && held().length === HELD.length;
  });
  await killWorker('Deliver', held()[0]?.senderPort ?? 0);
  await eventually('its requests are cut off', async () => held().some(({ senderLeft }) => senderLeft));
  lost = held().filter(({ senderLeft }) => senderLeft);
  door.open();
});

afterAll(() => partner?.stop());

test(
  'a worker that dies in the middle of a batch loses nothing: what it may have sent is sent again, in order, and marked as a possible duplicate',
  async () => {
    const messages = await eventually(
      'everything is delivered',
      async () => {
        const all = await service.messages(subscriptionId, () => true);
        return all.length === 6 * STEPS && all.every(({ state }) => state === 'succeeded') && Array.from(all);
      },
      { deadlineMs: VISIBILITY_MS + 30_000, everyMs: 1_000 },
    );
    const arrivals = partner.arrivals();
    expect(overtakers(arrivals)).toEqual([]);
    // At most its requests in flight are repeated.
    expect(accepted(arrivals).sort()).toEqual(
      [...QUICK, ...HELD].flatMap((payment) => [`${payment}/1`, `${payment}/2`, `${payment}/3`]).sort(),
    );
    expect(lost.map(({ step }) => step)).toEqual(lost.map(() => 1));
    expect(arrivals).toHaveLength(6 * STEPS + lost.length);

    for (const { message_id } of lost) {
      expect(messages.map((message) => message.message_id)).toContain(message_id);
      expect((await service.message(message_id)).attempts).toMatchObject([
        { attempt: 1, status_code: 200, earlier_may_be_missing: true },
      ]);
    }
    const [quick] = arrivals.filter(({ payment_id }) => QUICK.includes(payment_id));
    const [attempt] = (await service.message(quick?.message_id ?? '')).attempts;
    expect(attempt).not.toHaveProperty('earlier_may_be_missing');
  },
  VISIBILITY_MS + 60_000,
);
