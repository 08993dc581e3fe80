import { AlarmStatusWidget, Dashboard, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Settings } from '../../settings.ts';
import { cost } from './cost.ts';
import { health, runbookLinks } from './health.ts';
import { inTime } from './in-time.ts';
import type { Watched } from './watched.ts';
import { whatWaits } from './what-waits.ts';
import { whoFails } from './who-fails.ts';

/** Known to whoever may look at it before it exists. */
export const dashboardNameOf = ({ name }: Pick<Settings, 'name'>) => `payhooks-${name}`;

/**
 * A deployment at a glance: the questions of somebody who has just been paged, in the order in which they ask
 * them.
 */
export function addDashboard(scope: Construct, watched: Watched): Dashboard {
  const { urgent, routine } = watched.alarms;
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: dashboardNameOf(watched.settings) });
  const section = (question: string, widgets: readonly IWidget[]) => {
    dashboard.addWidgets(new TextWidget({ markdown: `## ${question}`, width: 24, height: 1 }));
    dashboard.addWidgets(...widgets);
  };
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Urgent alarms', alarms: [...urgent], width: 12, height: 6 }),
    new AlarmStatusWidget({ title: 'Alarms that can wait', alarms: [...routine], width: 12, height: 6 }),
  );
  section('Are webhooks going out in time?', inTime(watched));
  section('Who is failing?', whoFails(watched));
  section('What waits where?', whatWaits(watched));
  section('What does it cost?', cost(watched));
  section('Does everything run?', health(watched));
  dashboard.addWidgets(...runbookLinks(watched));
  return dashboard;
}
