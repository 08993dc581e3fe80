import type { buildConnector } from 'undici';

/** A connector that counts its open connections. */
export function countedConnections(connector: buildConnector.connector) {
  let open = 0;
  const connect: buildConnector.connector = (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (socket === null) {
        callback(error, null);
        return;
      }
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      callback(null, socket);
    });
  return { connect, open: () => open };
}
