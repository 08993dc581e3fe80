import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { type Check, failed, judged, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { revertDrift } from '../revert-drift.ts';

interface Alarm {
  readonly name: string;
  readonly state: string;
  /** Its section of the runbook: the last line of its description. */
  readonly section: string;
  readonly actionsEnabled: boolean;
}

export const alarms: Check = {
  name: 'alarms',
  notEmulated: 'it makes no metrics of log lines',
  async run(stage) {
    const [all, deployed] = await Promise.all([
      alarmsOf(stage),
      stage.named('observability', 'CloudWatch::Alarm'),
    ]);
    const on = all.filter(({ state }) => state === 'ALARM');
    const gone = deployed
      .map((name) => name.slice(prefixOf(stage).length))
      .filter((name) => !all.some((alarm) => alarm.name === name));
    const mute = all.filter(({ actionsEnabled }) => !actionsEnabled);
    if (deployed.length === 0) {
      return failed('none is deployed', 'See the check stacks.');
    }
    if (on.length + gone.length > 0) {
      return judged(
        [...on.map(({ name }) => `${name} is on`), ...gone.map((name) => `${name} is gone`)],
        '',
        ...new Set(on.map(({ section }) => `Go on at ${section}`)),
        ...(gone.length === 0 ? [] : [`Put them back: ${revertDrift(stage, 'observability')}`]),
      );
    }
    return mute.length === 0
      ? ok(`${all.length} alarms, none is on`)
      : warning(
          `none is on, but nobody would hear of ${mute.map(({ name }) => name).join(', ')}`,
          'Let them tell again: aws cloudwatch enable-alarm-actions',
        );
  },
};

function prefixOf({ output }: ExaminedStage): string {
  return output('observability', 'AlarmNamePrefix');
}

async function alarmsOf(stage: ExaminedStage): Promise<Alarm[]> {
  const AlarmNamePrefix = prefixOf(stage);
  const found: Alarm[] = [];
  const pages = paginateDescribeAlarms(
    { client: stage.clients.cloudWatch },
    { AlarmNamePrefix, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
  );
  for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
    for (const { AlarmName = '', AlarmDescription = '', StateValue = '', ActionsEnabled = true } of [
      ...MetricAlarms,
      ...CompositeAlarms,
    ]) {
      found.push({
        name: AlarmName.slice(AlarmNamePrefix.length),
        state: StateValue,
        section: /^Runbook: (\S+)$/m.exec(AlarmDescription)?.[1] ?? 'docs/operations.md',
        actionsEnabled: ActionsEnabled,
      });
    }
  }
  return found;
}
