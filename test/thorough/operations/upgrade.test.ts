import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bootstrap, deployStacks, type StackOutputs, synthesize } from '../../../local/deploy.ts';
import { type Emulator, startEmulator } from '../../../local/emulator/emulator.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
import { LOCAL_DIRECTORY } from '../../../local/project-paths.ts';
import { type DeployedStack, deployedStack, type Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  accepted,
  overtakers,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';
import { latestRelease, treeOf } from '../../support/release/released-tree.ts';

const directory = path.join(LOCAL_DIRECTORY, `upgrade-${process.pid}`);
const PAYMENTS = Array.from({ length: 8 }, (_, index) => `pay-${index}`);
const BETWEEN_STEPS_MS = 700;

let emulator: Emulator | undefined;
let partner: ScriptedPartner;
let stack: DeployedStack | undefined;
let service: Service;
/** The subscriptions by their endpoint: what the endpoint is like. */
const ids = new Map<string, string>();
const ENDPOINTS = ['good', 'shaky', 'paused'];

afterAll(async () => {
  stack?.close();
  await partner?.stop();
  await emulator?.stop();
  await rm(directory, { recursive: true, force: true });
});

test('a stage of the latest release is upgraded with traffic under way: nothing is lost or out of order', async () => {
  const release = await latestRelease();
  if (release === undefined) {
    // As in a clone without history: whoever builds from it cannot know the release.
    console.warn('Not upgraded: git knows neither a tag of a release nor when CHANGELOG.md got its heading.');
    return;
  }
  const log = () => {};
  const tree = await treeOf(release, path.join(directory, 'released'));
  const at = (name: string) => ({ directory: path.join(directory, name), log });
  await Promise.all(['old', 'new'].map((name) => mkdir(path.join(directory, name))));
  emulator = await startEmulator({ port: 0, logFile: path.join(directory, 'emulator.log'), log });
  const { endpoint } = emulator;
  await bootstrap({ directory, log, endpoint });
  const released = await synthesize({ ...at('old'), project: tree });
  // Before there is traffic, for which it would leave no processor.
  const assembly = await synthesize(at('new'));

  await useStage(await deployStacks({ ...at('old'), endpoint, assembly: released }), endpoint);
  const steps = await publishUntil(deployStacks({ ...at('new'), endpoint, assembly }));
  const enabled = await service.call('POST', `/subscriptions/${ids.get('paused')}/enable`);
  expect(enabled.status).toBe(200);

  const all = PAYMENTS.flatMap((payment) =>
    Array.from({ length: steps }, (_, index) => `${payment}/${index + 1}`),
  ).sort();
  for (const name of ENDPOINTS) {
    // The emulator ends a worker whose function changes: its records come back after 90 s.
    await eventually(
      `the ${name} endpoint accepts all`,
      async () => {
        expect(new Set(accepted(partner.arrivals(name))).size).toBe(all.length);
        return true;
      },
      { deadlineMs: 240_000 },
    );
    expect(overtakers(partner.arrivals(name))).toEqual([]);
    expect([...new Set(accepted(partner.arrivals(name)))].sort()).toEqual(all);
    const states = await service.messages(ids.get(name) ?? '', (some) =>
      some.every(({ state }) => state === 'succeeded'),
    );
    expect(states.length).toBe(Math.min(all.length, 100));
  }
}, 900_000);

/** Subscribes an endpoint that accepts, one that fails with every first attempt, and one that is paused. */
async function useStage(stacks: StackOutputs, endpoint: string): Promise<void> {
  const outputsFile = path.join(directory, 'outputs.json');
  const outputs = outputsOf(stacks, { endpoint, serviceId: 'demo' }, 'local', 'unknown to this release');
  await writeOutputs(outputsFile, { ...outputs, token: 'unused' });
  stack = await deployedStack(outputsFile);
  service = await stack.newService();
  partner = await scriptedPartner(({ endpoint: name, attempt }) =>
    name === 'shaky' && attempt === 1 ? { status: 503 } : ACCEPTED,
  );
  for (const name of ENDPOINTS) {
    ids.set(name, (await service.subscribe(partner.url(name))).id);
  }
  const paused = await service.call('POST', `/subscriptions/${ids.get('paused')}/pause`);
  expect(paused.status).toBe(200);
}

/** Publishes a step of each payment at a time, until a few after the upgrade. Resolves to how many. */
async function publishUntil(upgrade: Promise<unknown>): Promise<number> {
  let isUpgraded = false;
  const upgraded = upgrade.then(() => {
    isUpgraded = true;
  });
  let step = 0;
  for (let stepsLeft = 5; stepsLeft > 0; stepsLeft -= isUpgraded ? 1 : 0) {
    step += 1;
    await stack?.publish(
      ...PAYMENTS.map((payment_id) => happening(service, { payment_id, sequence: step, resource: { step } })),
    );
    await Promise.race([delay(BETWEEN_STEPS_MS), upgraded]);
  }
  await upgraded;
  return step;
}
