import { Stack } from 'aws-cdk-lib';
import { type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Watched } from './watched.ts';

/** Where to read on. Relative links lead nowhere from the console: the runbook is in the repository that this was deployed from. */
export function runbookLinks({ stage, pipeline }: Watched): IWidget[] {
  const { region } = Stack.of(pipeline);
  const console = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#`;
  return [
    new TextWidget({
      width: 24,
      height: 4,
      markdown: [
        `**Where to read on.** Each alarm has a section in \`docs/operations.md\` of the repository: what it means, how to look, how to mend; the last line of an alarm's description names it.`,
        `Something is wrong for partners: open an incident by \`docs/incident.md\`. By hand: \`docs/operations-by-hand.md\`. Is it well from outside: \`npm run doctor -- --stage ${stage.name}\`.`,
        `[Alarms](${console}alarmsV2:?search=payhooks-${stage.name}) · [log groups](${console}logsV2:log-groups$3FlogGroupNameFilter$3Dpayhooks-${stage.name}) · [Logs Insights](${console}logsV2:logs-insights)`,
      ].join('\n\n'),
    }),
  ];
}
