import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { LOCAL_DIRECTORY } from '../../../lib/project-paths.ts';
import { freePort } from '../../../local/port.ts';
import {
  type DeployedStack,
  deployedStack,
  type TestReceiver,
  testReceiver,
} from '../../support/deployed/deployed-stack.ts';
import { pagesToRun, sessionOf, typed } from '../../support/documented/shell-session.ts';
import { examplesPython } from '../../support/examples-python.ts';

let stack: DeployedStack;
let receiver: TestReceiver;
let directory: string;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([deployedStack(), testReceiver()]);
  directory = await mkdtemp(path.join(LOCAL_DIRECTORY, 'commands-'));
});
afterAll(async () => {
  await forgetSubscriptions();
  await receiver?.stop();
  stack?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Deletes what the pages registered for the stack's service; other tests have services of their own. */
async function forgetSubscriptions(): Promise<void> {
  const { token } = stack.outputs;
  const { body } = await stack.request('GET', '/subscriptions', { token });
  for (const { subscription_id } of body.subscriptions) {
    await stack.request('DELETE', `/subscriptions/${subscription_id}`, { token });
  }
}

test.each(pagesToRun())(
  'every command of %s that needs no deployed stage works',
  async (page) => {
    const { code, printed } = await typed(sessionOf(page), {
      PAYHOOKS_STACK_DIRECTORY: path.dirname(process.env.PAYHOOKS_TEST_OUTPUTS ?? ''),
      ENDPOINT: stack.outputs.endpoint,
      RECEIVER: await receiver.endpoint('documented'),
      ANOTHER_DIRECTORY: directory,
      ANOTHER_PORT: String(await freePort(0)),
      EXAMPLES_PYTHON: await examplesPython(),
    });
    // Output before the failing command does not matter.
    expect({ code, printed: code === 0 ? '' : printed.slice(`\n${printed}`.lastIndexOf('\n== ')) }).toEqual({
      code: 0,
      printed: '',
    });
  },
  600_000,
);
