import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { steps } from '../support/deployed/happening.ts';
import { opsOn } from '../support/deployed/ops-on.ts';
import { partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/network/scripted-partner.ts';

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

const run = (...args: string[]) => opsOn(stack, ...args);

describe('a stuck payment', () => {
  let secret: Record<string, unknown>;
  let key: string;

  /** Corrupts the subscription's signing secret, so that its messages cannot be sent. */
  beforeEach(async () => {
    const address = {
      TableName: stack.outputs.tables.signingSecrets,
      Key: marshall({ subscription_id: id }),
    };
    const { Item = {} } = await stack.dynamodb.send(new GetItemCommand(address));
    secret = unmarshall(Item);
    await stack.dynamodb.send(new DeleteItemCommand(address));
    key = `${id}.pay-1`;
    await stack.publish(...steps(service, ['pay-1'], 3));
    await eventually('it waits', async () => {
      const { printed } = await run('stuck', 'list', '--json');
      return JSON.parse(printed).keys.some(
        ({ ordering_key }: { ordering_key: string }) => ordering_key === key,
      );
    });
    await service.messages(id, (all) => all.length === 3);
  });

  const mend = () =>
    stack.dynamodb.send(
      new PutItemCommand({ TableName: stack.outputs.tables.signingSecrets, Item: marshall(secret) }),
    );

  test('is listed with its waiting messages, and continues in order when released', async () => {
    const { printed } = await run('stuck', 'show', key);
    expect(printed).toContain('waiting for you since');
    expect(printed).toContain('3 messages wait, the first one first:');
    expect(printed).not.toContain('"step"');

    const dry = await run('stuck', 'release', key);
    expect(dry.printed).toContain('Nothing was changed. --yes does it.');
    const inVain = await run('stuck', 'release', key, '--yes');
    expect(inVain.isWell).toBe(false);
    expect(inVain.printed).toContain(`${key}: the attempt failed; waiting for you since`);

    await mend();
    const released = await run('stuck', 'release', 'all', '--yes');
    expect(released).toMatchObject({ isWell: true });
    expect(released.printed).toContain(`${key}: not blocked any more: every message that waited has ended`);
    expect(accepted(partner.arrivals())).toEqual(['pay-1/1', 'pay-1/2', 'pay-1/3']);
    await expect(run('stuck', 'show', key)).rejects.toThrow(`${key} is not blocked on local`);
    await expect(run('stuck', 'release', key, '--yes')).rejects.toThrow(`${key} is not blocked on local`);
  });

  test('continues with the next message when the first one is skipped', async () => {
    await mend();
    const skipped = await run('stuck', 'skip', key, '--yes');
    expect(skipped).toMatchObject({ isWell: true });
    expect(skipped.printed).toMatch(/: msg_\S+ was given up; the payment is /);
    await eventually('the others are accepted', async () => accepted(partner.arrivals()).length >= 2);
    expect(accepted(partner.arrivals())).toEqual(['pay-1/2', 'pay-1/3']);
    const messages = await service.messages(id, (all) => all.every(({ ended_at }) => ended_at !== undefined));
    expect(messages.at(-1)).toMatchObject({ state: 'cancelled', state_reason: 'skipped' });
  });
});

test('a payment that waits for its endpoint cannot be released', async () => {
  await partner.vanish();
  await stack.publish(...steps(service, ['pay-1'], 1));
  const [waiting] = await service.messages(id, ([first]) => first?.state === 'retrying');
  expect(waiting?.state).toBe('retrying');
  await expect(run('stuck', 'release', `${id}.pay-1`)).rejects.toThrow(
    /pay-1 does not wait for you: (waiting|in the backlog)/,
  );
  await service.call('DELETE', `/subscriptions/${id}`);
});
