import { steps } from '../support/deployed/happening.ts';
import { opsOn } from '../support/deployed/ops-on.ts';
import { partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { accepted, overtakers } from '../support/network/scripted-partner.ts';

const PAYMENTS = ['pay-a', 'pay-b', 'pay-c'];

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

/** What the operator's `circuits` command prints for the local stage. */
async function circuits(...args: string[]): Promise<string> {
  const { isWell, printed } = await opsOn(stack, 'circuits', ...args);
  expect(isWell).toBe(true);
  return printed;
}

async function operations(): Promise<{ command: string; arguments: { subscription?: string } }[]> {
  const { printed } = await opsOn(stack, 'audit', '--json', '--limit', '1000');
  return JSON.parse(printed).operations.filter(
    (one: { arguments: { subscription?: string } }) => one.arguments.subscription === id,
  );
}

const circuitOf = async () => (await service.subscription(id)).circuit;

test('a circuit opened by hand lets nothing through, not even a probe; drained, it delivers everything in order; the trail has both', async () => {
  expect(await circuits('open', service.serviceId, id)).toContain('Nothing was changed. --yes does it.');
  expect((await circuitOf()).state).toBe('closed');

  expect(await circuits('open', service.serviceId, id, '--yes')).toContain(
    `${id} was closed, and is opened: nothing is sent to it, not even probes`,
  );
  await stack.publish(...steps(service, PAYMENTS, 3));
  await service.messages(id, (all) => all.length === 9 && all.every(({ state }) => state === 'parked'));
  // Longer than the first two probes of a circuit that opened automatically.
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  expect(partner.arrivals()).toEqual([]);
  expect(await circuitOf()).toEqual({
    state: 'open',
    since: expect.any(String),
    in_trouble_since: expect.any(String),
  });
  expect(await circuits('list')).toMatch(
    new RegExp(`${id} of ${service.serviceId}\\n +state +open by hand, in trouble since`),
  );
  const shown = await eventually('the backlog shows', async () => {
    const text = await circuits('show', service.serviceId, id);
    return PAYMENTS.every((payment) => text.includes(`${id}.${payment}`)) && text;
  });
  expect(shown).toMatch(/waiting +9 messages/);
  expect(shown).toContain(partner.url('partner'));
  expect(await circuits('open', service.serviceId, id, '--yes')).toContain(
    `${id} is open by hand: there is nothing to do.`,
  );

  expect(await circuits('drain', service.serviceId, id, '--yes')).toContain('its backlog is sent in order');
  await service.messages(id, (all) => all.length === 9 && all.every(({ state }) => state === 'succeeded'));
  expect(accepted(partner.arrivals())).toHaveLength(9);
  expect(overtakers(partner.arrivals())).toEqual([]);

  expect(await operations()).toMatchObject([
    { command: 'circuits drain', who: 'local', outcome: { changed: 1, from: 'open by hand' } },
    { command: 'circuits open', arguments: { service: service.serviceId, subscription: id } },
  ]);
  const { body } = await service.call('GET', `/changes?subscription_id=${id}`);
  expect(body.changes).toMatchObject([
    { actor: 'operator', operation: 'drainCircuit', changed: { circuit: { from: 'open', to: 'draining' } } },
    { actor: 'operator', operation: 'openCircuit', changed: { circuit: { from: 'closed', to: 'open' } } },
    { operation: 'createSubscription' },
  ]);
  expect(body.changes[0]).not.toHaveProperty('token_id');
  expect(JSON.stringify(body)).not.toContain('"who"');
});

test('closing takes effect at once when the backlog is empty, and drains it otherwise', async () => {
  await circuits('open', service.serviceId, id, '--yes');
  expect(await circuits('close', service.serviceId, id, '--yes')).toContain('its backlog is empty');
  expect((await circuitOf()).state).toBe('closed');

  await circuits('open', service.serviceId, id, '--yes');
  await stack.publish(...steps(service, PAYMENTS, 2));
  await service.messages(id, (all) => all.length === 6);
  const closed = await eventually('the backlog shows', async () => {
    const text = await circuits('close', service.serviceId, id);
    return (
      text.includes('it closes once the backlog is empty') &&
      (await circuits('close', service.serviceId, id, '--yes'))
    );
  });
  expect(closed).toContain('it closes once the backlog is empty');
  await service.messages(id, (all) => all.every(({ state }) => state === 'succeeded'));
  expect(overtakers(partner.arrivals())).toEqual([]);
  await eventually('it has closed automatically', async () => (await circuitOf()).state === 'closed');
  await stack.publish(...steps(service, ['pay-later'], 2));
  await service.messages(id, (all) => all.length === 8 && all.every(({ state }) => state === 'succeeded'));
  expect(overtakers(partner.arrivals())).toEqual([]);
});
