import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_CHECKS } from '../../../../../cli/operator/doctor/all-checks.ts';
import { byHand, checklist, itemsOf } from '../../../../../cli/operator/doctor/checklist.ts';
import { findingOf } from '../../../../../cli/operator/doctor/end-to-end.ts';
import type { ExaminedStage } from '../../../../../cli/operator/doctor/examined-stage.ts';
import { stacks } from '../../../../../cli/operator/doctor/stacks/stacks.ts';
import type { Seen } from '../../../../../functions/monitor/doctor/follow.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { PROJECT } from '../../../../support/documented/pages.ts';
import { facts } from './examined.ts';

function stage(states: Readonly<Record<string, string | undefined>>): ExaminedStage {
  return {
    ...facts(STAGES.dev),
    stacks: Object.entries(states).map(([stackName, status]) => ({ stackName, status, parts: [] })),
  } as unknown as ExaminedStage;
}

test('a stage whose stacks are complete is whole', async () => {
  expect(await stacks.run(stage({ a: 'CREATE_COMPLETE', b: 'UPDATE_ROLLBACK_COMPLETE' }))).toMatchObject({
    outcome: 'ok',
    seen: '2 stacks, all complete',
  });
});

test('a half deployed stage is told with what is missing and what is broken, and the way out of each', async () => {
  const finding = await stacks.run(
    stage({
      'payhooks-dev-data': 'UPDATE_COMPLETE',
      'payhooks-dev-api': 'ROLLBACK_COMPLETE',
      'payhooks-dev-pipeline': 'UPDATE_ROLLBACK_FAILED',
      'payhooks-dev-doctor': undefined,
    }),
  );
  expect(finding).toMatchObject({
    outcome: 'failed',
    seen: 'payhooks-dev-doctor is missing; payhooks-dev-api is ROLLBACK_COMPLETE; payhooks-dev-pipeline is UPDATE_ROLLBACK_FAILED',
  });
  expect(finding.todo).toEqual([
    'Deploy what is missing: npx cdk deploy --all -c stage=dev',
    expect.stringContaining('aws cloudformation delete-stack --stack-name payhooks-dev-api'),
    expect.stringContaining('aws cloudformation continue-update-rollback --stack-name payhooks-dev-pipeline'),
  ]);
});

test('who asks while a deployment is under way is told to wait', async () => {
  expect(await stacks.run(stage({ a: 'UPDATE_IN_PROGRESS', b: undefined }))).toMatchObject({
    outcome: 'failed',
    seen: 'a deployment is under way: a is UPDATE_IN_PROGRESS',
    todo: ['Wait until it has ended, and ask again.'],
  });
});

function course(answer: string | undefined, over: Partial<Seen> = {}) {
  const seen = {
    message_id: 'msg_1',
    state: 'succeeded',
    attempt_count: 1,
    attempts: [{ attempt: 1, started_at: '2026-11-22T10:00:00.000Z', duration_ms: 5, response_body: answer }],
    ...over,
  } as unknown as Seen;
  return { hasArrived: seen.state === 'succeeded', steps: [], seen, tookMs: 1_200 };
}

test('a payment has gone all the way when its receiver names this very message, and found it well signed', () => {
  const receipt = (of: object) => JSON.stringify({ signature: 'valid', webhook_id: 'msg_1', ...of });
  expect(findingOf(course(receipt({}))).outcome).toBe('ok');
  expect(findingOf(course(receipt({ webhook_id: 'msg_2' }))).outcome).toBe('failed');
  expect(findingOf(course(receipt({ signature: 'invalid' }))).outcome).toBe('failed');
  expect(findingOf(course('<html>parked domain</html>')).outcome).toBe('failed');
  expect(findingOf(course(undefined)).outcome).toBe('failed');
});

test('one that is refused is told with where to look', () => {
  const finding = findingOf(course('{}', { state: 'retrying', last_status_code: 401 }));
  expect(finding.seen).toBe('the message is retrying; its last attempt: 401');
  expect(finding.todo[0]).toContain('signature');
});

const items = checklist();

test('the checklist is numbered in its order, each number once', () => {
  const numbers = items.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(items.length).toBeGreaterThanOrEqual(25);
});

test('the page says of which items the doctor sees to a part, or to all', () => {
  const page = readFileSync(path.join(PROJECT, 'docs/aws-checklist.md'), 'utf8');
  const told = [...page.matchAll(/^- \*\*(\d+)\. .+?\.\*\* Doctor\b/gm)].map(([, number]) => Number(number));
  const seenTo = ALL_CHECKS.flatMap(({ items = [], partOf = [] }) => [...items, ...partOf]);
  expect(told).toEqual([...new Set(seenTo)].sort((a, b) => a - b));
});

test('an item for which the page names a command besides the doctor stays on the list', () => {
  const page = readFileSync(path.join(PROJECT, 'docs/aws-checklist.md'), 'utf8');
  const byDoctorAlone = [...page.matchAll(/^- \*\*(\d+)\. .+?\.\*\* Doctor[^;→]*→/gm)].map(([, number]) =>
    Number(number),
  );
  const whole = ALL_CHECKS.flatMap((check) => check.items ?? []);
  expect(whole.sort((a, b) => a - b)).toEqual(byDoctorAlone);
});

test('whether the account has room for prod stays a question until the doctor examines prod itself', () => {
  const left = (name: 'dev' | 'prod') =>
    byHand(itemsOf({ name }), ALL_CHECKS).filter(({ number }) => number === 1);
  expect(left('dev')).toEqual([{ ...items[0], inPart: true }]);
  expect(left('prod')).toEqual([]);
});

test('an item of which a check does a part stays on the list, and is told as such', () => {
  const [first, second] = byHand(checklist('- **1. One.** Look\n- **2. Two.** Look\n'), [
    { name: 'some', partOf: [2], run: async () => ({ outcome: 'ok', seen: '', todo: [] }) },
  ]);
  expect(first).toEqual({ number: 1, heading: 'One', inPart: false });
  expect(second).toEqual({ number: 2, heading: 'Two', inPart: true });
});
