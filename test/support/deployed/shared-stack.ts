import { type DeployedStack, deployedStack } from './deployed-stack.ts';

/** The stack that all tests share, in the hooks and tests of each file that imports it. */
export let stack: DeployedStack;

beforeAll(async () => {
  stack = await deployedStack();
});
afterAll(() => stack?.close());
