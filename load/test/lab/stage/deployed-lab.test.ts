import type { LambdaClient } from '@aws-sdk/client-lambda';
import { control } from '../../../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../../../functions/load-lab/receiver/store/memory-store.ts';
import { invokedControl } from '../../../lab/stage/deployed-lab.ts';
import { receiverControl } from '../../../lab/stage/receiver-control.ts';
import { slowStoreOf } from '../../../lab/stage/slow-store.ts';

/** A function that answers direct invocations as the receiver does. */
function functionOf(answer: (payload: { control: Parameters<typeof control>[0] }) => Promise<object>) {
  const send = async ({ input }: { input: { Payload: string } }) => answer(JSON.parse(input.Payload));
  return { send } as unknown as Pick<LambdaClient, 'send'>;
}

function deployedReceiver() {
  const store = memoryStore();
  const client = functionOf(async ({ control: request }) => ({
    Payload: Buffer.from(JSON.stringify(await control(request, store))),
  }));
  return receiverControl('https://abc.lambda-url.eu-west-1.on.aws/', invokedControl(client, 'receiver'));
}

test('a deployed receiver is controlled by invocation and called at its URL', async () => {
  const receiver = deployedReceiver();
  await receiver.behave('shop', { delay_ms: 100, hang: true });
  expect(await receiver.receipts('shop', 0)).toEqual([]);
  await receiver.forget('shop');
  expect(receiver.callbackUrl('shop')).toBe('https://abc.lambda-url.eu-west-1.on.aws/shop');
});

test('settings that the receiver refuses fail the run with its reason', async () => {
  await expect(deployedReceiver().behave('shop', { delay: 5 })).rejects.toThrow(
    /PUT with 400.*is not a setting/,
  );
});

test('a failing receiver is reported with its error', async () => {
  const client = functionOf(async () => ({
    FunctionError: 'Unhandled',
    Payload: Buffer.from('{"errorMessage":"x"}'),
  }));
  const receiver = receiverControl('https://r.example', invokedControl(client, 'receiver'));
  await expect(receiver.forget('shop')).rejects.toThrow('the receiver failed: {"errorMessage":"x"}');
});

test('the store of a deployed stage cannot be slowed down', () => {
  expect(() => slowStoreOf({ name: 'dev' })).toThrow(
    /only the local stack has a store that can be slowed down, not dev/,
  );
});

test('a local stack without the proxy says how to start one with it', () => {
  expect(() => slowStoreOf({ name: 'local' })).toThrow(/npm run local -- --slow-store/);
});
