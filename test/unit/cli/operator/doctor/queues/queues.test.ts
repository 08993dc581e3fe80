import type { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { circuits } from '../../../../../../cli/operator/doctor/queues/circuits.ts';
import { queues } from '../../../../../../cli/operator/doctor/queues/queues.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

/** A stage whose queues are empty but for what is hidden, with these maxima by the name of the metric. */
function stage(maxima: Readonly<Record<string, number>>) {
  return examined(STAGES.prod, {
    sqs: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    cloudWatch({ MetricName, Dimensions }) {
      const Maximum = maxima[`${MetricName} ${Dimensions[0].Value}`];
      return { Datapoints: Maximum === undefined ? [] : [{ Maximum }] };
    },
  });
}

test('queues in which nothing is old are well', async () => {
  expect(await queues.run(stage({ 'RecordAge deliver': 61_000 }))).toMatchObject({
    outcome: 'ok',
    seen: expect.stringContaining('deliveries 0 waiting, the oldest 61 s old'),
  });
});

test('a record that is received again and again is old though SQS does not count it any more', async () => {
  expect(await queues.run(stage({ 'RecordAge match': 3_600_000 }))).toMatchObject({
    outcome: 'failed',
    seen: expect.stringContaining('events 0 waiting, the oldest 3600 s old'),
    todo: ['Continue at docs/operations.md#records-too-old'],
  });
});

test('a timer may have been sent to wait for a quarter of an hour', async () => {
  expect(await queues.run(stage({ 'ApproximateAgeOfOldestMessage RetryTimersUrl': 1_100 }))).toMatchObject({
    outcome: 'ok',
  });
});

interface Found {
  readonly state: string;
  readonly cause?: string;
  readonly isDeleted?: boolean;
}

/** A stage in whose index these circuits are, and a recovery, which has none. */
function stageWith(...found: readonly Found[]) {
  const circuits = found.map(({ isDeleted: _, ...circuit }, index) => ({
    service_id: 'shop',
    subscription_id: `sub_${index}`,
    circuit,
  }));
  const items = [...circuits, { service_id: 'shop', subscription_id: 'sub_0', recovery_id: 'rec_1' }];
  const asked: string[] = [];
  const dynamodb = (input: (QueryCommand | GetItemCommand)['input']) => {
    if ('Key' in input) {
      const { service_id, item } = unmarshall(input.Key ?? {});
      asked.push(`${service_id} ${item}`);
      const isDeleted = found[Number(item.slice('sub_'.length))]?.isDeleted === true;
      return { Item: marshall({ state: isDeleted ? 'deleted' : 'active' }) };
    }
    const { ':shard': shard } = (input as QueryCommand['input']).ExpressionAttributeValues ?? {};
    return { Items: shard?.S === '0' ? items.map((item) => marshall(item)) : [] };
  };
  return { stage: examined(STAGES.prod, { dynamodb }), asked };
}

test('an endpoint that fails and one that is slow are told apart, each with its section of the runbook', async () => {
  const finding = await circuits.run(
    stageWith(
      { state: 'open' },
      { state: 'half_open' },
      { state: 'draining', cause: 'crowded' },
      { state: 'draining' },
    ).stage,
  );
  expect(finding).toMatchObject({ outcome: 'warning', seen: '2 open, 1 slow, 1 recovering' });
  expect(finding.todo).toEqual([
    expect.stringMatching(
      /npm run ops -- circuits list --stage prod .*docs\/operations\.md#one-partner-is-down.*#circuit-storm/,
    ),
    expect.stringMatching(/docs\/operations\.md#one-partner-is-slow/),
  ]);
});

test('those that recover, or are closed and look after what is left, need nobody', async () => {
  expect(await circuits.run(stageWith({ state: 'draining' }, { state: 'closed' }).stage)).toEqual({
    outcome: 'ok',
    seen: '0 open, 0 slow, 1 recovering',
    todo: [],
    details: [],
  });
});

test('a subscription that was deleted, as the doctor’s own has just been, does not count as recovering or slow', async () => {
  const { stage, asked } = stageWith(
    { state: 'draining', isDeleted: true },
    { state: 'draining' },
    { state: 'draining', cause: 'crowded', isDeleted: true },
    { state: 'open' },
  );
  expect(await circuits.run(stage)).toMatchObject({ seen: '1 open, 0 slow, 1 recovering' });
  expect(asked).toEqual(['shop sub_0', 'shop sub_1', 'shop sub_2']);
});

test('where very many drain, not all are asked whether they are deleted', async () => {
  const { stage, asked } = stageWith(...Array.from({ length: 130 }, () => ({ state: 'draining' })));
  expect(await circuits.run(stage)).toMatchObject({ seen: '0 open, 0 slow, 130 recovering' });
  expect(asked).toHaveLength(100);
});
