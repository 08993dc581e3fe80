import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { happening, steps } from '../../support/deployed/happening.ts';
import { opsOn } from '../../support/deployed/ops-on.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';
import { type BodyEndpoint, bodyEndpoint } from '../../support/network/webhook-bodies.ts';

describe('redriven events', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await service.subscribe(partner.url('partner')));
  });

  const run = (...args: string[]) => opsOn(stack, ...args);

  const allAccepted = (count: number) =>
    eventually(`${count} are accepted`, async () => accepted(partner.arrivals()).length >= count);

  test('events that a rule could not send go to the events queue in the order in which they happened', async () => {
    const details = steps(service, ['pay-a1', 'pay-b2'], 4).map((detail, index) => ({
      ...detail,
      occurred_at: new Date(Date.now() - 60_000 + index).toISOString(),
    }));
    for (const [index, detail] of details.toReversed().entries()) {
      const envelope = { version: '0', 'detail-type': 'payment event', source: 'payments', detail };
      await stack.put('ruleDeadLetters', index % 2 === 0 ? envelope : detail);
    }
    expect(await run('redrive', 'rule', '--yes')).toMatchObject({ isWell: true });
    await allAccepted(8);
    expect(overtakers(partner.arrivals())).toEqual([]);
    expect(accepted(partner.arrivals()).sort()).toEqual(
      ['pay-a1', 'pay-b2'].flatMap((payment) => [1, 2, 3, 4].map((step) => `${payment}/${step}`)),
    );
    expect(await stack.depth(stack.outputs.queues.ruleDeadLetters)).toBe(0);
  });

  test('timers that wake could not handle go off at once', async () => {
    const timer = {
      v: 1,
      kind: 'circuit',
      service_id: service.serviceId,
      subscription_id: id,
      generation: 1,
    };
    await stack.put('retryTimersDeadLetters', timer);
    expect(await run('redrive', 'retry-timers', '--yes')).toMatchObject({ isWell: true });
    await eventually(
      'it has gone off',
      async () => (await stack.depth(stack.outputs.queues.retryTimers)) === 0,
    );
    expect(await stack.depth(stack.outputs.queues.retryTimersDeadLetters)).toBe(0);
  });
});

describe('stuck events', () => {
  let endpoint: BodyEndpoint;

  beforeEach(async () => {
    endpoint = await bodyEndpoint();
    await service.subscribe(endpoint.url);
  });
  afterEach(() => endpoint.stop());

  const run = (...args: string[]) => opsOn(stack, ...args);

  test('events of a payment on which match alone fails wait for an operator, and hold up nobody of their shard', async () => {
    const numbered = (payment_id: string, sequence: number) => happening(service, { payment_id, sequence });
    const name = `${service.serviceId}.pay-bad-1`;
    const TableName = stack.outputs.tables.sequences;
    const Key = { payment: `${service.serviceId}#pay-bad-1`, item: 'sequence' };
    // As a newer version might write it.
    await stack.dynamodb.send(
      new PutItemCommand({ TableName, Item: marshall({ ...Key, format_version: 2 }) }),
    );
    await stack.publish(numbered('pay-bad-1', 1), numbered('pay-bad-1', 2));
    let neighbours = 0;
    await eventually(
      'its events are set aside',
      async () => {
        neighbours += 1;
        await stack.publish(numbered(`pay-${neighbours}-1`, 1));
        const { printed } = await run('stuck', 'list', '--json');
        return JSON.parse(printed).payments.some(
          ({ service_id, payment_id }: Record<string, string>) => `${service_id}.${payment_id}` === name,
        );
      },
      { everyMs: 2_000 },
    );
    await stack.publish(numbered('pay-bad-1', 3));
    await eventually('the neighbours get theirs', async () =>
      Array.from({ length: neighbours }, (_, index) => endpoint.of(`pay-${index + 1}-1`)).every(
        (webhooks) => webhooks.length === 1,
      ),
    );
    expect(endpoint.of('pay-bad-1')).toEqual([]);
    await eventually('all three wait', async () => {
      const { printed } = await run('stuck', 'show', name, '--json');
      return JSON.parse(printed).waiting.length === 3;
    });
    const inVain = await run('stuck', 'release', name, '--yes');
    expect(inVain.isWell).toBe(false);
    expect(inVain.printed).toContain('still stuck: NewerFormatError');

    await stack.dynamodb.send(new DeleteItemCommand({ TableName, Key: marshall(Key) }));
    expect(await run('stuck', 'release', name, '--yes')).toMatchObject({ isWell: true });
    await eventually('they continue', async () => endpoint.of('pay-bad-1').length === 3);
    expect(endpoint.of('pay-bad-1').map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    await stack.publish(numbered('pay-bad-1', 4));
    await eventually('and so does a later one', async () => endpoint.of('pay-bad-1').length === 4);
  }, 300_000);
});
