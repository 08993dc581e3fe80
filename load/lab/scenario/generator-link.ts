import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type FromGenerator, lineReader, type ToGenerator } from '../../artillery/link.ts';

/**
 * The runner's end of the link to Artillery's workers. A worker that connects late also learns whether it may
 * send.
 */
export async function generatorLink(take: (message: FromGenerator) => void) {
  const workers = new Set<Socket>();
  let maySend = true;
  const server = createServer((socket) => {
    workers.add(socket);
    socket.setEncoding('utf8').on('data', lineReader(take));
    socket.on('close', () => workers.delete(socket)).on('error', () => socket.destroy());
    if (!maySend) write(socket, { kind: 'may_send', may_send: false });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    tell(message: ToGenerator): void {
      if (message.kind === 'may_send') maySend = message.may_send;
      for (const socket of workers) write(socket, message);
    },
    async stop(): Promise<void> {
      for (const socket of workers) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function write(socket: Socket, message: ToGenerator): void {
  socket.write(`${JSON.stringify(message)}\n`);
}
