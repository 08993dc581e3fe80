import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partner } from '../../../../cli/partner/partner.ts';
import { RefusedError } from '../../../../cli/partner/refused-error.ts';

/** An API that answers everything alike. */
async function apiAnswering(status: number, body: object) {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api: partner({ apiUrl, token: 'phk_test' }), stop: () => server.close().closeAllConnections() };
}

test('a subscription that was deleted meanwhile has no messages', async () => {
  const { api, stop } = await apiAnswering(404, { status: 404 });
  expect(await api.messages('sub_1')).toEqual([]);
  stop();
});

test('any other refusal is told with what the API says', async () => {
  const { api, stop } = await apiAnswering(401, { detail: 'who are you?' });
  const refused = api.messages('sub_1');
  await expect(refused).rejects.toBeInstanceOf(RefusedError);
  await expect(refused).rejects.toThrow('was answered with 401: {"detail":"who are you?"}');
  stop();
});
