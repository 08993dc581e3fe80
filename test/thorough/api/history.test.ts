import { storeMessages } from '../../support/browser/stored-messages.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

describe('history', () => {
  /** The ids on all pages of a list, in order. */
  async function idsOn(path: string, between = async () => {}): Promise<string[]> {
    const ids: string[] = [];
    let cursor = '';
    do {
      const { status, body } = await service.call('GET', `${path}${cursor}`);
      expect({ status, body }).toMatchObject({ status: 200 });
      ids.push(...body.messages.map(({ message_id }: { message_id: string }) => message_id));
      cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
      await between();
    } while (cursor !== '');
    return ids;
  }

  test.each([
    ['of a payment', (payment: string) => `/messages?payment_id=${payment}&limit=100`],
    ['of a subscription', (_: string, id: string) => `/subscriptions/${id}/messages?limit=20`],
    [
      'of those given up',
      (_: string, id: string) => `/subscriptions/${id}/messages?state=exhausted&limit=20`,
    ],
  ])(
    'a thousand messages %s of the same millisecond are listed once each, while others arrive',
    async (_, path) => {
      const { id } = await service.subscribe(await receiver.endpoint('crowd'));
      const payment_id = `pay-${id.slice(4, 14)}`;
      const atOnce = new Date(Date.now() - 60_000).toISOString();
      const givenUp = { payment_id, state: 'exhausted', state_reason: 'schedule' } as const;
      await storeMessages(stack, service, id, 1_000, () => ({ ...givenUp, admitted_at: atOnce }));

      let arrived = 0;
      const ids = await idsOn(path(payment_id, id), async () => {
        arrived += 1;
        const event_id = `evt-${id.slice(4)}-later-${arrived}`;
        await storeMessages(stack, service, id, 1, () => ({ ...givenUp, event_id }));
      });

      expect(ids).toHaveLength(1_000);
      expect(new Set(ids).size).toBe(1_000);
      expect(arrived).toBeGreaterThan(9);
    },
  );
});
