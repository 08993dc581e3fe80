import { INSTALLING_MS } from '../installing.ts';
import { type Engine, type EngineName, javaFor, startEngine } from '../java/engine.ts';
import { expectLoopbackOnly } from './sockets.ts';

const log = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Tests with an engine that is started for them and stopped after them. Skipped, with the reason, where it
 * cannot run.
 */
export function withEngine(name: EngineName, tests: (engine: () => Engine) => void): void {
  const java = javaFor(name, process);
  if (typeof java === 'string') {
    log(`Skips the tests with ${name}: ${java}.`);
    describe.skip(`${name} (skipped: ${java})`, () => tests(() => undefined as never));
    return;
  }
  describe(name, () => {
    let engine: Engine | undefined;
    beforeAll(async () => {
      engine = await startEngine(name, { java, log });
    }, INSTALLING_MS);
    afterAll(() => engine?.stop());
    tests(() => engine as Engine);
    test('after all of these it listens, and is connected, on loopback only', () =>
      expectLoopbackOnly((engine as Engine).pid));
  });
}
