import { aliases } from '../../../../../../cli/operator/doctor/functions/aliases.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { examined } from '../examined.ts';

type Alias = { FunctionVersion: string; RoutingConfig?: object } | 'missing';

function stage(live: Readonly<Record<string, Alias>>) {
  const lambda = ({ FunctionName }: { FunctionName: string }) => {
    if (live[FunctionName] === 'missing') {
      throw Object.assign(new Error('no such alias'), { name: 'ResourceNotFoundException' });
    }
    return live[FunctionName];
  };
  const functions = (part: string) =>
    Object.fromEntries(
      part === 'pipeline' ? Object.keys(live).map((name) => [name, { name, role: `${name}-role` }]) : [],
    );
  return examined(STAGES.prod, { lambda }, { functions });
}

test('functions that are on one version each are well', async () => {
  const live = { match: { FunctionVersion: '3', RoutingConfig: {} }, deliver: { FunctionVersion: '12' } };
  expect(await aliases.run(stage(live))).toMatchObject({
    outcome: 'ok',
    seen: '2 functions, each with one version',
  });
});

test('the functions that people invoke need no alias', async () => {
  const live = { OnCallLink: 'missing', AnalystLink: 'missing', api: { FunctionVersion: '3' } } as const;
  expect(await aliases.run(stage(live))).toMatchObject({
    outcome: 'ok',
    seen: '1 functions, each with one version',
  });
});

test('a canary is told, as one that was left half-way would be', async () => {
  const RoutingConfig = { AdditionalVersionWeights: { 13: 0.1 } };
  expect(await aliases.run(stage({ deliver: { FunctionVersion: '12', RoutingConfig } }))).toMatchObject({
    outcome: 'warning',
    seen: 'deliver is on 12 and 10 % on 13',
  });
});

test('a function that nothing can run is a failure', async () => {
  expect(await aliases.run(stage({ deliver: 'missing' }))).toMatchObject({
    outcome: 'failed',
    seen: 'deliver has no alias live',
  });
});
