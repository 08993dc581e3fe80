import { environmentManager, focusManager } from '@tanstack/query-core';
import { FailedRequestError, type Failure } from '../../../../console/api/failure.ts';
import {
  forgetAll,
  type Interval,
  liveQuery,
  observerOf,
  put,
  readAgain,
} from '../../../../console/api/queries.ts';

beforeAll(() => environmentManager.setIsServer(() => false));
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  forgetAll();
  focusManager.setFocused(undefined);
  jest.useRealTimers();
});

const PATH = '/subscriptions';

/** A screen that is kept up to date: each request ends when the test says so. */
async function screen(every: Interval<string>) {
  const asked: {
    resolve: (answer: { body: string; etag: undefined }) => void;
    reject: (why: Error) => void;
  }[] = [];
  const query = liveQuery<string>(PATH, every, () => {
    const request = Promise.withResolvers<{ body: string; etag: undefined }>();
    asked.push(request);
    return request.promise;
  });
  const observer = observerOf(query);
  const leave = observer.subscribe(() => {});
  const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
  await pass();
  return {
    asked,
    pass,
    leave,
    shown: () => observer.getCurrentResult().data?.body,
    async answer(body: string) {
      asked.at(-1)?.resolve({ body, etag: undefined });
      await pass();
    },
    async fail(failure: Failure) {
      asked.at(-1)?.reject(new FailedRequestError(failure));
      await pass();
    },
  };
}

test('it asks at once, and again so long after an answer, which may depend on it', async () => {
  const { pass, answer, asked } = await screen((state) => (state === 'ended' ? 15_000 : 5_000));
  await pass(2_000);
  await answer('waits');
  await pass(4_999);
  expect(asked).toHaveLength(1);
  await pass(1);
  await answer('ended');
  await pass(14_999);
  expect(asked).toHaveLength(2);
});

test('an answer to a request from before a change is not shown, the next one is', async () => {
  const { pass, answer, shown } = await screen(5_000);
  put(PATH, { body: 'paused', etag: undefined });
  await answer('active');
  expect(shown()).toBe('paused');
  await pass(5_000);
  await answer('resumed');
  expect(shown()).toBe('resumed');
});

test('a hidden page asks nothing, and at once when it is seen, except for what is read once', async () => {
  const [live, once] = [await screen(5_000), await screen(undefined)];
  await once.answer('one');
  await live.answer('one');
  focusManager.setFocused(false);
  await live.pass(60_000);
  const before = live.asked.length + once.asked.length;
  focusManager.setFocused(true);
  await live.pass();
  expect(live.asked.length + once.asked.length).toBe(before + 1);
});

test('after a failure it waits longer, also when the page is seen in between', async () => {
  const { pass, fail, asked } = await screen(5_000);
  await fail({ kind: 'unreachable' });
  await pass(2_000);
  await fail({ kind: 'unreachable' });
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await pass(3_999);
  expect(asked).toHaveLength(2);
  await pass(1);
  expect(asked).toHaveLength(3);
});

test('whoever is signed out or has gone elsewhere asks no more', async () => {
  const { asked, fail, pass, answer, leave } = await screen(5_000);
  await fail({ kind: 'signed_out', detail: 'expired' });
  await pass(60_000);
  expect(asked).toHaveLength(1);
  readAgain();
  await answer('signed in again');
  leave();
  await pass(60_000);
  expect(asked).toHaveLength(2);
});
