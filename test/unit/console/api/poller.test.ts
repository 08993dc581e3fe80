import { FailedRequestError, type Failure } from '../../../../console/api/failure.ts';
import { poller } from '../../../../console/api/poller.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A page that polls: each request ends when the test says so. */
function polling({ everyMs }: { readonly everyMs: number | undefined } = { everyMs: 5_000 }) {
  const shown: string[] = [];
  const failures: (Failure | undefined)[] = [];
  const asked: PromiseWithResolvers<string>[] = [];
  const page = { isHidden: false, everyMs };
  const polls = poller<string>(
    () => ({
      ask: () => {
        const request = Promise.withResolvers<string>();
        asked.push(request);
        return request.promise;
      },
      answered: (answer) => shown.push(answer),
      failed: (failure) => failures.push(failure),
      everyMs: page.everyMs,
    }),
    () => page.isHidden,
  );
  const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
  return {
    ...polls,
    page,
    shown,
    failures,
    asked,
    pass,
    async answer(text: string) {
      asked.at(-1)?.resolve(text);
      await pass();
    },
    async fail(failure: Failure) {
      asked.at(-1)?.reject(new FailedRequestError(failure));
      await pass();
    },
  };
}

test('it asks at once, and again so long after an answer', async () => {
  const { pass, answer, asked, shown } = polling();
  await pass();
  await answer('one');
  await pass(4_999);
  expect(asked).toHaveLength(1);
  await pass(1);
  await answer('two');
  expect(shown).toEqual(['one', 'two']);
});

test('what is asked for during a request is asked after it', async () => {
  const { pass, answer, asked, refresh } = polling({ everyMs: undefined });
  await pass();
  refresh();
  await pass();
  expect(asked).toHaveLength(1);
  await answer('before');
  await pass();
  expect(asked).toHaveLength(2);
  await answer('after');
  await pass(60_000);
  expect(asked).toHaveLength(2);
});

test('an answer to a request from before a change is not shown, the next one is', async () => {
  const { pass, answer, shown, supersede } = polling();
  await pass();
  supersede();
  await answer('active');
  await pass(5_000);
  await answer('paused');
  expect(shown).toEqual(['paused']);
});

test('a hidden page asks nothing, and at once when it is seen', async () => {
  const { page, pass, answer, asked, seen } = polling();
  await pass();
  await answer('one');
  page.isHidden = true;
  await pass(60_000);
  expect(asked).toHaveLength(1);
  page.isHidden = false;
  seen();
  await pass();
  expect(asked).toHaveLength(2);
});

test('what is to be read only when asked for is not read because the page is seen again', async () => {
  const { page, pass, answer, asked, seen, refresh } = polling({ everyMs: undefined });
  await pass();
  await answer('one');
  seen();
  await pass();
  expect(asked).toHaveLength(1);
  page.isHidden = true;
  refresh();
  await pass();
  page.isHidden = false;
  seen();
  await pass();
  expect(asked).toHaveLength(2);
});

test('after a failure it waits longer, also when the page is seen in between', async () => {
  const { pass, fail, answer, asked, failures, seen } = polling();
  await pass();
  await fail({ kind: 'unreachable' });
  await pass(2_000);
  await fail({ kind: 'unreachable' });
  seen();
  await pass(3_999);
  expect(asked).toHaveLength(2);
  await pass(1);
  await answer('back');
  expect(failures).toEqual([{ kind: 'unreachable' }, { kind: 'unreachable' }, undefined]);
});

test('whoever is signed out or has gone elsewhere asks no more', async () => {
  const signedOut = polling();
  await signedOut.pass();
  await signedOut.fail({ kind: 'signed_out', detail: 'expired' });
  const gone = polling();
  await gone.pass();
  gone.stop();
  await gone.answer('late');
  await gone.pass(60_000);
  expect([signedOut.asked.length, gone.asked.length, gone.shown]).toEqual([1, 1, []]);
});
