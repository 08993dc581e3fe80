import { findingOf } from '../../../../../cli/operator/doctor/end-to-end.ts';
import type { ExaminedStage } from '../../../../../cli/operator/doctor/examined-stage.ts';
import { stacks } from '../../../../../cli/operator/doctor/stacks/stacks.ts';
import type { Seen } from '../../../../../functions/monitor/doctor/follow.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
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
