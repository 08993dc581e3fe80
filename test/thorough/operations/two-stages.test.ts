import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readOutputs } from '../../../cli/stage/local-outputs.ts';
import { cdk } from '../../../local/cdk.ts';
import { deployStacks, synthesize } from '../../../local/deploy.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
import { type DeployedStack, deployedStack } from '../../support/deployed/deployed-stack.ts';
import { happening, steps } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  type Arrival,
  accepted,
  overtakers,
  type Script,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';

const DEPLOYING_MS = 240_000;

/** For a second stage, in the account where all tests share the stage `local`. */
const directory = path.resolve(import.meta.dirname, '../../../.local', `second-${process.pid}`);
const secondsFile = path.join(directory, 'outputs.json');

const repeated = ({ body }: Arrival) => ({ ...ACCEPTED, body: JSON.parse(body).resource.challenge });
const proving: Script = (arrival) =>
  arrival.payment_id.startsWith('challenge-') ? repeated(arrival) : ACCEPTED;
let first: DeployedStack;
let second: DeployedStack;
let partner: ScriptedPartner;
let remove: (() => Promise<void>) | undefined;

beforeAll(async () => {
  partner = await scriptedPartner(proving);
  first = await deployedStack();
  const { endpoint, token } = await readOutputs(process.env.PAYHOOKS_TEST_OUTPUTS);
  await mkdir(directory, { recursive: true });
  const deployment = { directory, endpoint, log: () => {} };
  const assembly = await synthesize({ ...deployment, stageName: 'second' });
  remove = () =>
    cdk(['destroy', '--all', '--force', '--app', assembly], 'The second stage stays.', {
      ...{ directory, endpoint, cwd: directory },
      logFile: path.join(directory, 'destroy.log'),
    });
  const stacks = await deployStacks({ ...deployment, assembly });
  // The first stage's token: the second does not know it.
  await writeOutputs(secondsFile, { ...outputsOf(stacks, { endpoint, serviceId: 'demo' }, 'second'), token });
  second = await deployedStack(secondsFile);
}, DEPLOYING_MS);

afterAll(async () => {
  second?.close();
  await remove?.();
  await rm(directory, { recursive: true, force: true });
  first?.close();
  await partner?.stop();
}, DEPLOYING_MS);

test("an event on one stage's bus is delivered by that stage alone, though both know its service", async () => {
  const here = await first.newService();
  const there = await second.newService(here.serviceId);
  const [one, other] = [
    await here.subscribe(partner.url('first')),
    await there.subscribe(partner.url('second')),
  ];

  const ofFirst = happening(here, { payment_id: `pay-${randomUUID()}` });
  const ofSecond = happening(there, { payment_id: `pay-${randomUUID()}` });
  await first.publish(ofFirst);
  await second.publish(ofSecond);

  const succeeded = ([newest]: readonly { state: string }[]) => newest?.state === 'succeeded';
  expect(await here.messages(one.id, succeeded)).toMatchObject([{ payment_id: ofFirst.payment_id }]);
  // The second stage asks for proof.
  const proven = (all: readonly { state: string }[]) => all.length === 2 && succeeded(all);
  expect(await there.messages(other.id, proven)).toMatchObject([
    { payment_id: ofSecond.payment_id },
    { event_type: 'challenge' },
  ]);
  expect(partner.arrivals('first').map(({ payment_id }) => payment_id)).toEqual([ofFirst.payment_id]);
  expect(partner.arrivals('second').map(({ payment_id }) => payment_id)).toEqual([
    expect.stringMatching(/^challenge-/),
    ofSecond.payment_id,
  ]);
});

describe('where endpoints have to prove themselves', () => {
  const partners: ScriptedPartner[] = [];
  const host = async (script: Script) => {
    const one = await scriptedPartner(script);
    partners.push(one);
    return one;
  };
  afterAll(() => Promise.all(partners.map(({ stop }) => stop())));
  const eventsOf = (one: ScriptedPartner) =>
    accepted(one.arrivals().filter(({ payment_id }) => !payment_id.startsWith('challenge-')));

  test('events wait for the first answer that repeats the challenge, and come in order', async () => {
    const service = await second.newService();
    let isReady = false;
    const shop = await host((arrival) => (isReady ? proving(arrival) : { status: 200, body: 'thanks' }));
    const { id } = await service.subscribe(shop.url('hooks'));
    const { state, challenge_id = '' } = await service.subscription(id);
    expect(state).toBe('unproven');

    await second.publish(...steps(service, ['pay-a', 'pay-b'], 2));
    await service.messages(id, (all) => all.filter(({ state }) => state === 'parked').length === 4);
    await eventually(
      'a challenge fails',
      async () => (await service.message(challenge_id)).attempts.length > 0,
    );
    expect(await service.message(challenge_id)).toMatchObject({
      event_type: 'challenge',
      state: 'retrying',
      attempts: expect.arrayContaining([
        expect.objectContaining({ status_code: 200, failure_class: 'not_echoed', response_body: 'thanks' }),
      ]),
    });
    expect(eventsOf(shop)).toEqual([]);

    isReady = true;
    await service.messages(id, (all) => all.filter(({ state }) => state === 'succeeded').length === 5);
    expect(overtakers(shop.arrivals())).toEqual([]);
    expect(eventsOf(shop).sort()).toEqual(['pay-a/1', 'pay-a/2', 'pay-b/1', 'pay-b/2']);
    expect(await service.message(challenge_id)).toMatchObject({ state: 'succeeded' });
    expect(await service.subscription(id)).not.toHaveProperty('challenge_id');
  });

  test('another host is asked, another path is not; enabling asks again', async () => {
    const service = await second.newService();
    const shop = await host(proving);
    const { id } = await service.subscribe(shop.url('hooks'));
    const isActive = async () => (await service.subscription(id)).state === 'active';
    await eventually('it is proven', isActive);
    expect(
      await service.call('PATCH', `/subscriptions/${id}`, { callback_url: shop.url('other') }),
    ).toMatchObject({
      body: { state: 'active' },
    });

    let isReady = false;
    const stranger = await host((arrival) =>
      isReady ? proving(arrival) : { status: 302, headers: { location: shop.url('hooks') } },
    );
    const { body: moved } = await service.call('PATCH', `/subscriptions/${id}`, {
      callback_url: stranger.url('hooks'),
    });
    expect(moved).toMatchObject({ state: 'unproven', circuit: { state: 'open' } });
    await second.publish(happening(service, { payment_id: 'pay-c', resource: { step: 1 } }));
    await eventually('the stranger is asked', async () => stranger.arrivals().length > 0);
    expect(eventsOf(stranger)).toEqual([]);

    isReady = true;
    const { body: again } = await service.call('POST', `/subscriptions/${id}/enable`);
    expect(again.challenge_id).not.toBe(moved.challenge_id);
    await eventually('it is proven again', isActive);
    await service.messages(id, (all) =>
      all.some((one) => one.payment_id === 'pay-c' && one.state === 'succeeded'),
    );
    expect(eventsOf(stranger)).toEqual(['pay-c/1']);
    const replaced = await eventually('the first challenge ends', async () => {
      const message = await service.message(moved.challenge_id);
      return message.ended_at !== undefined && message;
    });
    expect(replaced).toMatchObject({ state: 'cancelled', state_reason: 'superseded' });
  });
});
