import { rules } from '../../../../../../cli/operator/doctor/stacks/rules.ts';
import { shardRuleDescription } from '../../../../../../lib/observability/rule-queries.ts';
import { shardsOf } from '../../../../../../lib/shards.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

const rulesOf = (deployment: string) =>
  [...shardsOf(16).map(({ name }) => name), 'rest'].map((name) => ({
    Name: `${deployment}-${name}`,
    State: 'ENABLED',
    Description: shardRuleDescription(name, deployment),
  }));
const onBus = (all: object[]) =>
  rules.run(
    examined(STAGES.dev, {
      // As AWS does where many share a bus.
      eventBridge: ({ NextToken = '0' }) => ({
        Rules: all.slice(Number(NextToken), Number(NextToken) + 20),
        NextToken: Number(NextToken) + 20 < all.length ? String(Number(NextToken) + 20) : undefined,
      }),
    }),
  );

test('only the rules of the deployment count, whoever else is on the bus', async () => {
  const all = [...rulesOf('others'), { Name: 'theirs', State: 'DISABLED' }, ...rulesOf('dev')];
  expect(await onBus(all)).toMatchObject({ outcome: 'ok', seen: '17 rules for payment events, all on' });
});

test('one that is gone or off is told', async () => {
  const [first, , ...others] = rulesOf('dev');
  expect(await onBus([...others, { ...first, State: 'DISABLED' }])).toMatchObject({
    outcome: 'failed',
    seen: 'there are 16 instead of 17; dev-shard-00 is off',
  });
});
