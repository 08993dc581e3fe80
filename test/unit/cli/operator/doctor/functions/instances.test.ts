import { reservedConcurrency } from '../../../../../../cli/operator/doctor/functions/function-settings.ts';
import { instances } from '../../../../../../cli/operator/doctor/functions/instances.ts';
import type { Stage } from '../../../../../../lib/stage.ts';
import { STAGES } from '../../../../../../lib/stages.ts';
import { examined } from '../examined.ts';

const ON_INSTANCES: Stage = {
  ...STAGES.prod,
  fixedAddresses: { natGateways: 2 },
  compute: 'managed-instances',
};

/** A stage whose functions all answer the same. */
function stage(settings: Stage, answer: (name: string) => object) {
  return examined(settings, { lambda: ({ FunctionName }) => answer(FunctionName) });
}

test('a stage on Lambda is asked nothing', async () => {
  const asked = () => {
    throw new Error('was asked');
  };
  expect(await instances.run(stage(STAGES.prod, asked))).toMatchObject({ outcome: 'ok' });
});

test('match and deliver are on instances, and there', async () => {
  const there = stage(ON_INSTANCES, () => ({ CapacityProviderConfig: {}, State: 'Active' }));
  expect(await instances.run(there)).toMatchObject({
    outcome: 'ok',
    seen: 'match and deliver run on managed instances',
  });
});

test('one that has none yet is told with the reason of Lambda, and one that is elsewhere, too', async () => {
  const waiting = stage(ON_INSTANCES, (name) =>
    name === 'Match'
      ? { State: 'Active' }
      : { CapacityProviderConfig: {}, State: 'Failed', StateReason: 'VcpuLimitExceeded' },
  );
  expect(await instances.run(waiting)).toMatchObject({
    outcome: 'failed',
    seen: 'Match runs on Lambda; Deliver is Failed: VcpuLimitExceeded',
  });
});

test('nothing is set aside for functions on instances', async () => {
  const { wake, sweep, statistics } = STAGES.prod.concurrency;
  const setAside: Readonly<Record<string, number>> = { Wake: wake, Sweep: sweep, Tally: statistics };
  const found = stage(ON_INSTANCES, (name) => ({ ReservedConcurrentExecutions: setAside[name] }));
  expect(await reservedConcurrency.run(found)).toMatchObject({ outcome: 'ok' });
});
