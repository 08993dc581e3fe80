import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { ExaminedStage } from '../../../../../../cli/operator/doctor/examined-stage.ts';
import { alarms } from '../../../../../../cli/operator/doctor/stacks/alarms.ts';
import { STAGES } from '../../../../../../lib/stages.ts';

/** A stage with these alarms, by name: their sections of the runbook. All are on. */
function stage(sections: Readonly<Record<string, string>>): ExaminedStage {
  const cloudWatch = new CloudWatchClient({ region: 'eu-west-1' });
  jest.spyOn(cloudWatch, 'send').mockImplementation(async () => ({
    MetricAlarms: Object.entries(sections).map(([name, section]) => ({
      AlarmName: `payhooks-prod-observability-${name}`,
      AlarmDescription: `Something is wrong.\nRunbook: docs/operations.md#${section}`,
      StateValue: 'ALARM',
    })),
  }));
  return { settings: STAGES.prod, clients: { cloudWatch } } as unknown as ExaminedStage;
}

test('alarms that are on lead to their sections of the runbook, each once', async () => {
  const on = {
    'events-oldest': 'records-too-old',
    'events-waiting': 'records-too-old',
    'api-faults': 'api-faults',
  };
  expect(await alarms.run(stage(on))).toMatchObject({
    todo: ['Go on at docs/operations.md#records-too-old', 'Go on at docs/operations.md#api-faults'],
  });
});
