import { steps } from '../../../support/deployed/happening.ts';
import { stack } from '../../../support/deployed/shared-stack.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  ACCEPTED,
  accepted,
  barrier,
  overtakers,
  type ScriptedPartner,
  scriptedPartner,
} from '../../../support/network/scripted-partner.ts';

/** Five delays (lib/stages.ts), so six attempts, in half a minute plus the timers' own delays. */
const ATTEMPTS = 6;
const REFUSED = 'pay-refused';
const OTHERS = ['pay-a', 'pay-b', 'pay-c', 'pay-d', 'pay-e', 'pay-f'];

let partner: ScriptedPartner | undefined;

afterAll(() => partner?.stop());

test.concurrent('a payment that is always refused blocks its own later events until it is exhausted, and no other payment', async () => {
  const service = await stack.newService();
  const othersAreIn = barrier();
  partner = await scriptedPartner(async ({ payment_id, step, attempt }) => {
    if (payment_id !== REFUSED || step > 1) return ACCEPTED;
    // Its second attempt is held until all other payments have everything.
    if (attempt === 2) await othersAreIn.opened;
    return { status: 500 };
  });
  const { arrivals, url } = partner;
  const { id } = await service.subscribe(url('partner'), { timeout_ms: 30_000 });
  await stack.publish(...steps(service, [REFUSED, ...OTHERS], 3));
  const ofPayment = (payment: string) => arrivals().filter(({ payment_id }) => payment_id === payment);
  await eventually(
    'the others have everything, the refused one its second attempt',
    async () => accepted(arrivals()).length === OTHERS.length * 3 && ofPayment(REFUSED).at(-1)?.attempt === 2,
  );
  expect(ofPayment(REFUSED).at(-1)).not.toHaveProperty('senderLeft');
  expect(ofPayment(REFUSED).map(({ step }) => step)).toEqual([1, 1]);
  othersAreIn.open();

  const ofRefused = async () =>
    (await service.messages(id, () => true)).filter(({ payment_id }) => payment_id === REFUSED).reverse();
  // Its later events may have waited behind the signal for the second attempt, and are recorded after it.
  const waiting = await eventually('all of the payment is on record', async () => {
    const messages = await ofRefused();
    return messages.length === 3 && messages;
  });
  expect(waiting).toMatchObject([
    { state: 'retrying', last_status_code: 500, next_attempt_at: expect.any(String) },
    { state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 },
    { state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 },
  ]);

  const [exhausted, ...later] = await eventually(
    'the rest of the payment is delivered',
    async () => {
      const messages = await ofRefused();
      return messages.at(-1)?.state === 'succeeded' && messages;
    },
    { deadlineMs: 60_000, everyMs: 500 },
  );
  expect(exhausted).toMatchObject({
    state: 'exhausted',
    state_reason: 'schedule',
    attempt_count: ATTEMPTS,
    ended_at: expect.any(String),
  });
  expect(later).toMatchObject([
    { state: 'succeeded', attempt_count: 1, held_ms: expect.any(Number) },
    { state: 'succeeded', attempt_count: 1, held_ms: expect.any(Number) },
  ]);
  const { attempts } = await service.message(exhausted?.message_id ?? '');
  expect(attempts.map(({ attempt, status_code }) => [attempt, status_code])).toEqual(
    Array.from({ length: ATTEMPTS }, (_, index) => [index + 1, 500]),
  );
  expect(ofPayment(REFUSED).map(({ step }) => step)).toEqual([...Array(ATTEMPTS).fill(1), 2, 3]);
  expect(overtakers(arrivals(), [`${REFUSED}/1`])).toEqual([]);
  expect((await service.subscription(id)).circuit.state).toBe('closed');
}, 120_000);
