import { partner } from '../../../../cli/partner/partner.ts';
import { RefusedError } from '../../../../cli/partner/refused-error.ts';
import { loopback } from '../../../support/network/loopback.ts';

/** An API that answers everything alike. */
async function apiAnswering(status: number, body: object) {
  const { url, stop } = await loopback((_, response) => {
    response.writeHead(status).end(JSON.stringify(body));
  });
  return { api: partner({ apiUrl: url, token: 'phk_test' }), stop };
}

test('a subscription that was deleted meanwhile has no messages', async () => {
  const { api, stop } = await apiAnswering(404, { status: 404 });
  expect(await api.messages('sub_1')).toEqual({ messages: [] });
  await stop();
});

test('any other refusal is told with what the API says', async () => {
  const { api, stop } = await apiAnswering(401, { detail: 'who are you?' });
  const refused = api.messages('sub_1');
  await expect(refused).rejects.toBeInstanceOf(RefusedError);
  await expect(refused).rejects.toThrow('was answered with 401: {"detail":"who are you?"}');
  await stop();
});
