import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WATCHED_QUEUES } from '../../../functions/api/stage/watched-queues.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { guidePageHtml } from '../../../lib/bundling/docs-page.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

/** With every option that adds an alarm. */
const stage: Stage = {
  ...STAGES.dev,
  fixedAddresses: { natGateways: 2 },
  silence: 'unusual',
  notices: { sender: 'webhooks@shop.example' },
};
const alarms = Object.values(synthesized(stage).observability.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties: { AlarmName, AlarmDescription } }) => ({
    name: AlarmName.replace('payhooks-dev-observability-', ''),
    isUrgent: AlarmDescription.startsWith('Urgent: '),
    section: /^Runbook: docs\/operations\.md#(\S+)$/m.exec(AlarmDescription)?.[1],
  }),
);
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-'),
);
const byName = (a: { name: string | undefined }, b: { name: string | undefined }) =>
  String(a.name).localeCompare(String(b.name));

/** Sections that cover several alarms of a kind. */
const SHARED = [
  'function-errors',
  'notices',
  'payments-stuck',
  'records-too-old',
  'rule-dead-letters',
  'stream-behind',
  'table-throttled',
  'webhooks-late',
  'worker-internal-errors',
];

test('every alarm links to its own section, or to the one for its kind', () => {
  expect(alarms).not.toHaveLength(0);
  const others = alarms.filter(({ section }) => !SHARED.includes(section ?? ''));
  expect(others.map(({ section }) => section)).toEqual(others.map(({ name }) => name));
});

test.each([...new Set(alarms.map(({ section }) => section))].sort())(
  'the runbook says what %s means, where to look and what to do',
  (section) => {
    const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0];
    expect(text).toMatch(/\*\*Meaning\.\*\*.*\*\*Look\.\*\*.*```sh aws\n.*\*\*Do\.\*\*/s);
  },
);

test('the list at the top of the runbook has every alarm once and no other, the urgent ones in bold', () => {
  const head = page.split('\n## ')[0] ?? '';
  const listed = [...head.matchAll(/(\*\*)?\[`([^`]+)`\]\(#([^)]+)\)/g)].map(([, bold, name, section]) => ({
    name,
    isUrgent: bold !== undefined,
    section,
  }));
  expect(listed.sort(byName)).toEqual([...alarms].sort(byName));
});

test('each section that a command refers to exists', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const named = globSync('cli/operator/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/docs\/operations\.md#([a-z-]+)/g)].map(
      ([, anchor]) => anchor,
    ),
  );
  expect(named).toEqual(
    expect.arrayContaining(['one-partner-is-down', 'one-partner-is-slow', 'circuit-storm']),
  );
  expect(named.filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([]);
});

test('what Health of the console names leads into the page of the runbook', () => {
  const html = guidePageHtml('operations.md');
  const api = JSON.stringify(synthesized(stage).api.findResources('AWS::Lambda::Function'));
  const queues = Object.keys(WATCHED_QUEUES);
  expect(queues.filter((queue) => !api.includes(queue))).toEqual([]);
  const root = path.join(import.meta.dirname, '../../..');
  const shown = ['groups.ts', 'queues.tsx'].flatMap((file) =>
    [...readFileSync(path.join(root, 'console/stage', file), 'utf8').matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(
      ([, section = '']) => section,
    ),
  );
  expect(shown).toEqual(expect.arrayContaining(['one-partner-is-down', 'payments-stuck']));
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect([...queues, ...shown].filter((one) => !anchors.has(one))).toEqual([]);
});
