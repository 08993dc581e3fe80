import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../local/port.ts';

test('a taken port is named, with how to choose another', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  await expect(freePort(port)).rejects.toThrow(
    `Port ${port} is taken, perhaps by a local stack that already runs. Choose another with --port, for example --port ${port + 1}.`,
  );
  holder.close();
});

test('0 finds a free port', async () => {
  const port = await freePort(0);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  expect(port).toBeGreaterThan(1023);
});
