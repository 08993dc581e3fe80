import { readFileSync } from 'node:fs';
import path from 'node:path';
import { synthesized } from '../support/synthesized.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

const alarms = Object.values(synthesized('dev').observability.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties: { AlarmName, AlarmDescription } }) => ({
    name: AlarmName.replace('payhooks-dev-observability-', ''),
    section: /^Runbook: docs\/operations\.md#(\S+)$/m.exec(AlarmDescription)?.[1],
  }),
);
const names = alarms.map(({ name }) => name).sort();

test('every alarm points to the section of its name', () => {
  expect(alarms).not.toHaveLength(0);
  expect(alarms.map(({ section }) => section)).toEqual(alarms.map(({ name }) => name));
});

test.each(names)('the runbook says of %s what it means, how to look and how to mend', (name) => {
  const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0];
  expect(section).toMatch(/\*\*Meaning\.\*\*.*\*\*Look\.\*\*.*```sh\n.*\*\*Mend\.\*\*/s);
});

test('the list at the head of the runbook has every alarm and no other', () => {
  const listed = [...page.matchAll(/^\| \[`([^`]+)`\]\(#\1\)/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(names);
});
