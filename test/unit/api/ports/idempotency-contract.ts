import type { Answer } from '../../../../functions/core/api/answer.ts';
import type { Idempotency, IdempotentRequest, Outcome } from '../../../../functions/core/api/idempotency.ts';

const created: Answer = { status: 201, headers: { location: '/v1/subscriptions/sub_1' }, body: { a: 1 } };
const refused: Answer = { status: 422, body: { detail: 'no' } };

/** An action with this answer that counts its calls. */
function acting(answer: Answer) {
  const times = { count: 0 };
  const act = async () => {
    times.count++;
    return answer;
  };
  return { act, times };
}

const REMAINING_MS = 20_000;

/** What every `Idempotency` promises. `store` returns one that knows no requests of these services. */
export function idempotencyPromises(
  store: () => Idempotency,
  [shop, other]: readonly [string, string],
): void {
  const idempotency = () => {
    const { once } = store();
    return {
      once: (request: IdempotentRequest, act: () => Promise<Answer>) =>
        once(request, act, () => REMAINING_MS),
    };
  };
  const request = (key: string, over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
    serviceId: shop,
    key,
    fingerprint: 'a',
    ...over,
  });

  test('a repeated request is carried out once and gets the same answer', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);

    expect(await requests.once(request('k1'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: false,
    });
    expect(await requests.once(request('k1'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: true,
    });
    expect(times.count).toBe(1);
  });

  test('an answer without a body is remembered too', async () => {
    const requests = idempotency();
    const { act, times } = acting({ status: 204 });
    await requests.once(request('k2'), act);

    expect(await requests.once(request('k2'), act)).toEqual({
      kind: 'done',
      answer: { status: 204 },
      isRepeat: true,
    });
    expect(times.count).toBe(1);
  });

  test('only the first answer contains what is shown once, and the change', async () => {
    const requests = idempotency();
    const first = { ...created, once: { signing_secret: 'whsec_x' }, change: { subscription_id: 'sub_1' } };
    const { act } = acting(first);

    expect(await requests.once(request('k3'), act)).toEqual({
      kind: 'done',
      answer: first,
      isRepeat: false,
    });
    expect(await requests.once(request('k3'), act)).toEqual({
      kind: 'done',
      answer: created,
      isRepeat: true,
    });
  });

  test('a key that was used with a different request is reported', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);
    await requests.once(request('k4'), act);

    expect(await requests.once(request('k4', { fingerprint: 'b' }), act)).toEqual({
      kind: 'other_request',
    });
    expect(times.count).toBe(1);
  });

  test('services do not share idempotency keys', async () => {
    const requests = idempotency();
    const { act, times } = acting(created);
    await requests.once(request('k5'), act);

    expect(await requests.once(request('k5', { serviceId: other }), act)).toMatchObject({
      isRepeat: false,
    });
    expect(times.count).toBe(2);
  });

  test('a refusal is not remembered, so a corrected request may use the same key', async () => {
    const requests = idempotency();
    const { act } = acting(created);

    expect(await requests.once(request('k6'), acting(refused).act)).toEqual({
      kind: 'done',
      answer: refused,
      isRepeat: false,
    });
    expect(await requests.once(request('k6', { fingerprint: 'b' }), act)).toMatchObject({
      answer: created,
      isRepeat: false,
    });
  });

  test('an exception is not remembered, and is rethrown', async () => {
    const requests = idempotency();
    const { act } = acting(created);
    const error = new Error('internal error');

    await expect(requests.once(request('k7'), () => Promise.reject(error))).rejects.toBe(error);
    expect(await requests.once(request('k7'), act)).toMatchObject({ answer: created, isRepeat: false });
  });

  test('a repeat while the first request is running is reported', async () => {
    const requests = idempotency();
    const { act } = acting(created);
    let second: Outcome | undefined;
    let stranger: Outcome | undefined;

    await requests.once(request('k8'), async () => {
      second = await requests.once(request('k8'), act);
      stranger = await requests.once(request('k8', { fingerprint: 'b' }), act);
      return created;
    });

    expect(second).toEqual({ kind: 'in_progress' });
    expect(stranger).toEqual({ kind: 'other_request' });
    expect(await requests.once(request('k8'), act)).toMatchObject({ isRepeat: true });
  });
}
