import { type TestReceiver, testReceiver } from './deployed-stack.ts';

/** A receiver of webhooks, one for the tests of the file that imports it. */
export let receiver: TestReceiver;

beforeAll(async () => {
  receiver = await testReceiver();
});
afterAll(() => receiver?.stop());
