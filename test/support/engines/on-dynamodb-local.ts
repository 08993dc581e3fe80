import { expectLoopbackOnly } from './sockets.ts';

/**
 * In each test file: the deployed stack is the one whose tables are in DynamoDB Local, which after the file's
 * tests still talks to this machine alone.
 */
const outputs = process.env.PAYHOOKS_ENGINE_OUTPUTS;
if (outputs === undefined) {
  // No Java here, as the log says. Skipped tests run no hooks.
  globalThis.test = globalThis.test.skip as typeof test;
} else {
  process.env.PAYHOOKS_TEST_OUTPUTS = outputs;
  afterAll(() => expectLoopbackOnly(Number(process.env.PAYHOOKS_ENGINE_PID)));
}
