import { createServer } from 'node:net';
import { ExplainedError } from '../cli/terminal/explanation.ts';

/**
 * Returns the port if it is free on loopback; for 0, any free one.
 *
 * @throws ExplainedError if the port is taken or not allowed
 */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(wanted, '127.0.0.1', resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what =
      code === 'EADDRINUSE'
        ? 'is taken, perhaps by a local stack that already runs'
        : `cannot be used (${code})`;
    throw new ExplainedError(
      `Port ${wanted} ${what}. Choose another with --port, for example --port ${wanted + 1}.`,
    );
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : wanted;
}
