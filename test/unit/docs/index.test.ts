import { existsSync } from 'node:fs';
import path from 'node:path';
import { PROJECT, pages } from '../../support/documented/pages.ts';

const all = pages();
const index = all.find(({ name }) => name === 'docs/README.md')?.text ?? '';
const below = all
  .map(({ name }) => name)
  .filter((name) => name.startsWith('docs/') && name !== 'docs/README.md');

const READERS = ['Partner', 'Publisher', 'Deployer', 'On call', 'Analyst', 'Contributor'];
const sections = index.split(/^## /m).map((text) => {
  const [heading = '', ...lines] = text.split('\n');
  return { heading, lines };
});

test.each(['architecture', 'operations', 'analysts', 'security', 'performance', 'contributing', 'adr'])(
  'there is documentation on %s',
  (name) => {
    expect(existsSync(path.join(PROJECT, 'docs', name === 'adr' ? name : `${name}.md`))).toBe(true);
  },
);

test('the index has a line for each page below its reader, and one for each decision, with its title', () => {
  const missing = all
    .filter(({ name }) => below.includes(name))
    .filter(({ name, text }) => {
      const title = /^# (.+)$/m.exec(text)?.[1] ?? '';
      const link = `[${title}](${path.relative('docs', name)})`;
      const isDecision = name.startsWith('docs/adr/');
      const lines = sections
        .filter(({ heading }) => (isDecision ? heading === 'Decisions' : READERS.includes(heading)))
        .flatMap(({ lines }) => lines)
        .filter((line) => line.includes(link));
      const answers = lines[0]?.split(' | ').length === 2;
      return lines.length !== 1 || (!isDecision && !answers);
    });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
