import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { SSMClient } from '@aws-sdk/client-ssm';
import { examinedStage } from '../../../cli/operator/doctor/examined-stage.ts';
import { deferredRecords } from '../../../cli/operator/doctor/queues/deferred-records.ts';
import { ChosenDeployment, LOCAL } from '../../../cli/stage/chosen-deployment.ts';
import { findDeployment } from '../../../cli/stage/find-deployment.ts';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { readOutputs } from '../../../cli/stage/local-outputs.ts';
import { messageId, orderingKey } from '../../../functions/core/message/message.ts';
import { deployStacks, destroyStacks, synthesize } from '../../../local/deploy.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
import { message } from '../../support/builders.ts';
import { type DeployedStack, deployedStack } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
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

test('each is found by its own name, and by the stacks that it lies in', async () => {
  const ssm = new SSMClient(clientConfig(first.outputs.endpoint));
  const find = async (by: 'stage' | 'stack', name: string) =>
    findDeployment(ssm, new ChosenDeployment(by, name), async () => 'the emulator');
  const [here, there] = [await find('stage', 'local'), await find('stack', 'payhooks-second-api')];
  expect([here.name, there.name]).toEqual(['payhooks-local', 'payhooks-second']);
  expect(await here.value('data', 'HistoryTableName')).toBe(first.outputs.tables.history);
  expect(await there.value('data', 'HistoryTableName')).toBe(second.outputs.tables.history);
  await expect(find('stack', 'third')).rejects.toThrow(
    'in the emulator; there are payhooks-local (--stage local), payhooks-second (--stage second).',
  );
  ssm.destroy();
});

test('a token of one stage is invalid on the other', async () => {
  const here = await first.newService();
  const there = await second.newService(here.serviceId);
  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

  expect(await here.call('GET', '/subscriptions', undefined, bearer(there))).toMatchObject({ status: 401 });
  expect(await there.call('GET', '/subscriptions', undefined, bearer(here))).toMatchObject({ status: 401 });
  expect(await here.call('GET', '/subscriptions')).toMatchObject({ status: 200 });
  expect(await there.call('GET', '/subscriptions')).toMatchObject({ status: 200 });
});

// Here, because the record disappears with the stage's queue; nobody could remove it from a shared one.
test('a message of a newer format version is deferred, with its payment behind it; others continue', async () => {
  const service = await second.newService();
  const { id } = await service.subscribe(partner.url('held'));
  const [held, free] = [`pay-${randomUUID()}`, `pay-${randomUUID()}`];
  const key = { service_id: service.serviceId, subscription_id: id, payment_id: held };
  const next = {
    ...message({ ...key, message_id: messageId({ ...key, event_id: randomUUID() }) }),
    v: 2,
    amount: 5,
  };
  const { deliveries, deliveriesDeadLetters } = second.outputs.queues;
  await second.put('deliveries', next, orderingKey(key));
  await second.publish(
    happening(service, { payment_id: held, resource: { step: 2 } }),
    happening(service, { payment_id: free, resource: { step: 1 } }),
  );

  await service.messages(id, ([newest]) => newest?.payment_id === free && newest.state === 'succeeded');
  await eventually(
    'both of the payment wait in the queue',
    async () => (await second.depth(deliveries)) === 2,
  );
  expect(partner.arrivals('held').map(({ payment_id }) => payment_id)).toEqual([free]);
  expect(await second.depth(deliveriesDeadLetters)).toBe(0);

  const finding = await eventually('the doctor reports it', async () => {
    const found = await deferredRecords.run(await examinedStage(LOCAL, { outputsFile: secondsFile }));
    return found.outcome === 'warning' && found;
  });
  expect(finding.seen).toContain('a deliver that knows format version 2: ');
  expect(finding.details?.join()).toContain(orderingKey(key));
});
