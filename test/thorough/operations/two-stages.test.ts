import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readOutputs } from '../../../cli/stage/local-outputs.ts';
import { deployStacks, destroyStacks, synthesize } from '../../../local/deploy.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
import { type DeployedStack, deployedStack } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { type ScriptedPartner, scriptedPartner } from '../../support/network/scripted-partner.ts';

const DEPLOYING_MS = 240_000;

/** For a second stage, in the account where all tests share the stage `local`. */
const directory = path.resolve(import.meta.dirname, '../../../.local', `second-${process.pid}`);
const secondsFile = path.join(directory, 'outputs.json');
let first: DeployedStack;
let second: DeployedStack;
let partner: ScriptedPartner;
let remove: (() => Promise<void>) | undefined;

beforeAll(async () => {
  partner = await scriptedPartner();
  first = await deployedStack();
  const { endpoint, token } = await readOutputs(process.env.PAYHOOKS_TEST_OUTPUTS);
  await mkdir(directory, { recursive: true });
  const deployment = { directory, endpoint, log: () => {} };
  const assembly = await synthesize({ ...deployment, stageName: 'second' });
  remove = () => destroyStacks({ ...deployment, assembly });
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
  expect(await there.messages(other.id, succeeded)).toMatchObject([{ payment_id: ofSecond.payment_id }]);
  expect(partner.arrivals('first').map(({ payment_id }) => payment_id)).toEqual([ofFirst.payment_id]);
  expect(partner.arrivals('second').map(({ payment_id }) => payment_id)).toEqual([ofSecond.payment_id]);
});
