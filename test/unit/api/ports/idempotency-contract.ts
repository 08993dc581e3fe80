import type { Answer } from '../../../../functions/api/answer.ts';
import type { Idempotency, Outcome, SignalKind } from '../../../../functions/api/idempotency.ts';

const created: Answer = { status: 201, headers: { location: '/v1/subscriptions/sub_1' }, body: { a: 1 } };
const refused: Answer = { status: 422, body: { detail: 'no' } };

/** Carries out `answer` and counts how often. */
function acting(answer: Answer) {
  const times = { count: 0 };
  const act = async () => {
    times.count++;
    return answer;
  };
  return { act, times };
}

const REMAINING_MS = 20_000;

/** What every `Idempotency` promises. `store` gives one to which nothing of these services is known. */
export function idempotencyPromises(
  store: () => Idempotency,
  [shop, other]: readonly [string, string],
): void {
  const idempotency = () => {
    const { once } = store();
    return {
      once: (signalKind: SignalKind, act: () => Promise<Answer>) => once(signalKind, act, () => REMAINING_MS),
    };
  };
  const signalKind = (key: string, over: Partial<SignalKind> = {}): SignalKind => ({
    serviceId: shop,
    key,
    fingerprint: 'a',
    ...over,
  });

  test('a wish that is repeated is carried out once, and answered as it was', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);

    expect(await requests.once(signalKind('k1'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: false,
    });
    expect(await requests.once(signalKind('k1'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: true,
    });
    expect(times.count).toBe(1);
  });

  test('an answer without a body is remembered too', async () => {
    const requests = idempotency();
    const { act, times } = acting({ status: 204 });
    await requests.once(signalKind('k2'), act);

    expect(await requests.once(signalKind('k2'), act)).toEqual({
      kind: 'done',
      answer: { status: 204 },
      isRepeat: true,
    });
    expect(times.count).toBe(1);
  });

  test('what is shown once, and what was changed, is in the first answer only', async () => {
    const requests = idempotency();
    const told = { ...created, once: { signing_secret: 'whsec_x' }, change: { subscription_id: 'sub_1' } };
    const { act } = acting(told);

    expect(await requests.once(signalKind('k3'), act)).toEqual({
      kind: 'done',
      answer: told,
      isRepeat: false,
    });
    expect(await requests.once(signalKind('k3'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: true,
    });
  });

  test('a key that came with another request is told apart', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);
    await requests.once(signalKind('k4'), act);

    expect(await requests.once(signalKind('k4', { fingerprint: 'b' }), act)).toEqual({
      kind: 'other_request',
    });
    expect(times.count).toBe(1);
  });

  test('the keys of one service are not those of another', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);
    await requests.once(signalKind('k5'), act);

    expect(await requests.once(signalKind('k5', { serviceId: other }), act)).toMatchObject({
      isRepeat: false,
    });
    expect(times.count).toBe(2);
  });

  test('a refusal is not remembered: what was mended may be sent with the same key', async () => {
    const requests = idempotency();
    const { act } = acting(created);

    expect(await requests.once(signalKind('k6'), acting(refused).act)).toEqual({
      kind: 'done',
      answer: refused,
      isRepeat: false,
    });
    expect(await requests.once(signalKind('k6', { fingerprint: 'b' }), act)).toMatchObject({
      answer: created,
      isRepeat: false,
    });
  });

  test('a fault is not remembered, and is thrown as it is', async () => {
    const requests = idempotency();
    const { act } = acting(created);
    const fieldError = new Error('a fault');

    await expect(requests.once(signalKind('k7'), () => Promise.reject(fieldError))).rejects.toBe(fieldError);
    expect(await requests.once(signalKind('k7'), act)).toMatchObject({ answer: created, isRepeat: false });
  });

  test('who comes while a wish is carried out is told so', async () => {
    const requests = idempotency();
    const { act } = acting(created);
    let second: Outcome | undefined;
    let stranger: Outcome | undefined;

    await requests.once(signalKind('k8'), async () => {
      second = await requests.once(signalKind('k8'), act);
      stranger = await requests.once(signalKind('k8', { fingerprint: 'b' }), act);
      return created;
    });

    expect(second).toEqual({ kind: 'in_progress' });
    expect(stranger).toEqual({ kind: 'other_request' });
    expect(await requests.once(signalKind('k8'), act)).toMatchObject({ isRepeat: true });
  });
}
