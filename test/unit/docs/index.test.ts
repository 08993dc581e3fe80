import path from 'node:path';
import { pages } from '../../support/documented/pages.ts';

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

test('the index has one line for each page below a reader, and one for each decision', () => {
  const linesBelow = (isOne: (heading: string) => boolean) =>
    sections
      .filter(({ heading }) => isOne(heading))
      .flatMap(({ lines }) => lines.filter((line) => line.startsWith('- [')));
  const pagesListed = linesBelow((heading) => READERS.includes(heading));
  const decisionsListed = linesBelow((heading) => heading === 'Decisions');
  const listed = (name: string) => {
    const link = `](${path.relative('docs', name)})`;
    const lines = name.startsWith('docs/adr/') ? decisionsListed : pagesListed;
    return lines.filter((line) => line.includes(link)).length;
  };
  expect(below.filter((name) => listed(name) !== 1)).toEqual([]);
});
