import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localAccess } from '../../../cli/stage/stage-access.ts';
import type { PaymentTimeline } from '../../../functions/core/timeline/timeline-view.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { happening } from '../../support/deployed/happening.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

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

describe('payment timeline', () => {
  /** The timeline of a payment as soon as it looks like this. */
  function timeline(
    paymentId: string,
    isAsWanted: (of: PaymentTimeline) => unknown,
  ): Promise<PaymentTimeline> {
    return eventually(`the timeline of ${paymentId}`, async () => {
      const { status, body } = await service.call('GET', `/payments/${paymentId}`);
      return status === 200 && isAsWanted(body) ? (body as PaymentTimeline) : undefined;
    });
  }

  /** What an operator's command prints, as whoever has this role. */
  async function seenBy(role: string, paymentId: string): Promise<string> {
    const dynamodb = new DynamoDBClient(await configAs(role, stack.outputs.endpoint));
    try {
      const access = { ...(await localAccess(stack.outputs)), dynamodb };
      return (await ops(['payment', service.serviceId, paymentId], { access: async () => access })).printed;
    } finally {
      dynamodb.destroy();
    }
  }

  const unique = () => `pay-${service.serviceId.slice(4, 12)}-t`;

  test('a missing number is awaited, given up, and late once it comes: the timeline tells each of it', async () => {
    const name = `${service.serviceId}-numbered`;
    const { id } = await service.subscribe(await receiver.endpoint(name), { description: 'orders' });
    const payment_id = unique();
    const numbered = (sequence: number) => happening(service, { payment_id, sequence });
    const [first, second, third] = [1, 2, 3].map(numbered);
    await stack.publish(first!, third!);

    const waiting = await timeline(
      payment_id,
      (of) => of.sequence?.early.length === 1 && of.messages.length === 1,
    );
    const [early] = waiting.sequence?.early ?? [];
    expect(waiting.sequence).toMatchObject({
      next: 2,
      missing: [],
      early: [{ sequence: 3, event_id: third?.event_id }],
    });
    const { sequenceGapMs } = STAGES.local.deliveryPolicy;
    expect(Date.parse(early?.waits_until ?? '') - Date.parse(early?.since ?? '')).toBe(sequenceGapMs);
    expect(waiting.sequence?.next_awaited_until).toBe(early?.waits_until);
    expect(waiting.messages).toMatchObject([{ sequence: 1, position: 1, state: 'succeeded' }]);
    expect(waiting.messages[0]).not.toHaveProperty('previous_message_id');
    expect(waiting.subscriptions).toMatchObject([
      { subscription_id: id, description: 'orders', state: 'active', circuit: { state: 'closed' } },
    ]);

    const givenUp = await timeline(payment_id, ({ messages }) => messages[1]?.state === 'succeeded');
    expect(givenUp.sequence).toMatchObject({ next: 4, missing: [2], early: [] });
    const [of3, of1] = givenUp.messages;
    expect(of3).toMatchObject({
      sequence: 3,
      position: 2,
      previous_message_id: of1?.message_id,
      gap_before: true,
      state: 'succeeded',
    });
    const arrived = of3?.entries.find(({ kind }) => kind === 'arrived');
    expect(Date.parse(arrived?.until ?? '') - Date.parse(arrived?.at ?? '')).toBeGreaterThanOrEqual(
      sequenceGapMs,
    );

    await stack.publish(second!);
    const whole = await timeline(payment_id, ({ messages }) => messages[2]?.state === 'succeeded');
    expect(whole.sequence).toMatchObject({ next: 4, missing: [] });
    expect(whole.messages[0]).toMatchObject({ sequence: 2, position: 3, late: true });
    expect(JSON.stringify(whole)).not.toContain('"amount"');

    const printed = await seenBy('OnCall', payment_id);
    expect(printed).toContain('captured (3)  … arrived early, waited ');
    expect(printed).toContain('→ taken in; number 2 had not come in time');
    expect(printed).toContain('Number 4 is next.');
  });
});
