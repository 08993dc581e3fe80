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
const byName = (a: { name: string | undefined }, b: { name: string | undefined }) =>
  String(a.name).localeCompare(String(b.name));

/** Sections on an alarm of each function, or of each table. */
const SHARED = ['function-errors', 'function-throttles', 'table-throttled'];

test('every alarm points to the section of its name, or to the one on all of its kind', () => {
  expect(alarms).not.toHaveLength(0);
  const others = alarms.filter(({ section }) => !SHARED.includes(section ?? ''));
  expect(others.map(({ section }) => section)).toEqual(others.map(({ name }) => name));
});

test.each([...new Set(alarms.map(({ section }) => section))].sort())(
  'the runbook says of %s what it means, how to look and how to mend',
  (section) => {
    const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0];
    expect(text).toMatch(/\*\*Meaning\.\*\*.*\*\*Look\.\*\*.*```sh aws\n.*\*\*Mend\.\*\*/s);
  },
);

test('the list at the head of the runbook has every alarm and no other', () => {
  const listed = [...page.matchAll(/^\| \[`([^`]+)`\]\(#([^)]+)\)/gm)].map(([, name, section]) => ({
    name,
    section,
  }));
  expect(listed.sort(byName)).toEqual([...alarms].sort(byName));
});

test('every link within the runbook leads to one of its headings', () => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) {
    expect(headings).toContain(anchor);
  }
});
