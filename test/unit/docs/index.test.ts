import { existsSync } from 'node:fs';
import path from 'node:path';
import { PROJECT, pages } from '../../support/documented/pages.ts';

const all = pages();
const index = all.find(({ name }) => name === 'docs/README.md')?.text ?? '';
const below = all
  .map(({ name }) => name)
  .filter((name) => name.startsWith('docs/') && name !== 'docs/README.md');

test.each(['architecture', 'operations', 'analysts', 'security', 'performance', 'contributing', 'adr'])(
  'there is documentation on %s',
  (name) => {
    expect(existsSync(path.join(PROJECT, 'docs', name === 'adr' ? name : `${name}.md`))).toBe(true);
  },
);

test('the index has a line for each page and each decision, with its title and its readers', () => {
  const missing = all
    .filter(({ name }) => below.includes(name))
    .filter(({ name, text }) => {
      const title = /^# (.+)$/m.exec(text)?.[1] ?? '';
      const link = `[${title}](${path.relative('docs', name)})`;
      const lines = index.split('\n').filter((line) => line.includes(link));
      const isDecision = name.startsWith('docs/adr/');
      return lines.length !== 1 || (!isDecision && lines[0]?.split(' | ').length !== 3);
    });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
