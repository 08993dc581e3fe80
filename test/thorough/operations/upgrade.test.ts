import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_DIRECTORY, PROJECT } from '../../../lib/project-paths.ts';
import { bootstrap, deployStacks, type StackOutputs, synthesize } from '../../../local/deploy.ts';
import { type Emulator, startEmulator } from '../../../local/emulator/emulator.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
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
import { treeOf, upgradeBase } from '../../support/release/upgrade-base.ts';

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
/** The status of each call to the API while the stage is upgraded. */
const apiAnswers: number[] = [];

afterAll(async () => {
  stack?.close();
  await partner?.stop();
  await emulator?.stop();
  await rm(directory, { recursive: true, force: true });
});

const base = upgradeBase(PROJECT, process.env);
const TITLE =
  'a stage of the latest release is upgraded with traffic under way: nothing is lost, out of order or uncounted';
if ('commit' in base) {
  test(`${TITLE} (from ${base.name}: ${base.commit.slice(0, 8)})`, () => upgradesFrom(base.commit), 900_000);
} else if (base.isAvoidable && process.env.CI === 'true') {
  test(TITLE, () => {
    throw new Error(`Not upgraded: ${base.why}. Clone with the whole history, or with tags.`);
  });
} else {
  test.skip(`${TITLE} (skipped: ${base.why})`, () => {});
}

async function upgradesFrom(commit: string): Promise<void> {
  const log = () => {};
  const tree = await treeOf(commit, path.join(directory, 'released'));
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
    const id = ids.get(name) ?? '';
    expect(await eventually(`${name} is on record`, async () => recordsAgree(id, all.length))).toBe(true);
  }
  expect(apiAnswers).toEqual(apiAnswers.map(() => 200));
}

/** Whether history has each message as delivered, and statistics count as much. */
async function recordsAgree(id: string, published: number): Promise<boolean> {
  const messages = [];
  for (let cursor = ''; ; ) {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?limit=100${cursor}`);
    messages.push(...body.messages);
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  const { body } = await service.call('GET', `/subscriptions/${id}/statistics?by=day`);
  const counted = (member: string) =>
    body.periods.reduce((total: number, period: Record<string, number>) => total + (period[member] ?? 0), 0);
  const failed = messages.reduce((total, { attempt_count }) => total + attempt_count - 1, 0);
  return (
    messages.length === published &&
    messages.every(({ state }) => state === 'succeeded') &&
    // The release may count twice what a worker had counted that the upgrade ended, but leaves nothing out.
    counted('delivered') >= published &&
    counted('failed_attempts') >= failed
  );
}

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
    apiAnswers.push((await service.call('GET', `/subscriptions/${ids.get('good')}`)).status);
    await Promise.race([delay(BETWEEN_STEPS_MS), upgraded]);
  }
  await upgraded;
  return step;
}
