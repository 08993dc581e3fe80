import { readFile } from 'node:fs/promises';
import { type Engine, type EngineName, javaFor, startEngine } from '../../../local/java/engine.ts';

const log = (line: string) => process.stderr.write(`${line}\n`);

/** Tests with an engine that is started for them and stopped after them. Skipped, with the reason, where it cannot run. */
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
    });
    afterAll(() => engine?.stop());
    (process.platform === 'linux' ? test : test.skip)('listens on loopback only', async () => {
      expect(await addressesOf(Number(new URL((engine as Engine).endpoint).port))).toEqual(['127.0.0.1']);
    });
    tests(() => engine as Engine);
  });
}

/** The addresses at which something listens on a port; those of IPv6 in hexadecimal. Source: proc_net_tcp(5). */
async function addressesOf(port: number): Promise<string[]> {
  const LISTENING = '0A';
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/);
      const [address = '', hexPort = ''] = local.split(':');
      return state === LISTENING && Number.parseInt(hexPort, 16) === port ? [readable(address)] : [];
    }),
  );
}

/** An IPv4 address is a number in the order of the processor's bytes. */
function readable(address: string): string {
  return address.length > 8 ? address : [...Buffer.from(address, 'hex')].reverse().join('.');
}
