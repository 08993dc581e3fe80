import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { type Check, failed, judged, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';
import { deployAgain } from '../revert-drift.ts';

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
    const all = await alarmsOf(stage);
    const on = all.filter(({ state }) => state === 'ALARM');
    const mute = all.filter(({ actionsEnabled }) => !actionsEnabled);
    if (all.length === 0) {
      return failed('there is none', `Deploy them: ${deployAgain(stage, 'observability')}`);
    }
    if (on.length > 0) {
      return judged(
        on.map(({ name }) => `${name} is on`),
        '',
        ...new Set(on.map(({ section }) => `Go on at ${section}`)),
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

async function alarmsOf({ clients, output }: ExaminedStage): Promise<Alarm[]> {
  const AlarmNamePrefix = output('observability', 'AlarmNamePrefix');
  const found: Alarm[] = [];
  const pages = paginateDescribeAlarms(
    { client: clients.cloudWatch },
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
