import path from 'node:path';
import { pages } from '../../support/documented/pages.ts';

const all = pages();
const index = all.find(({ name }) => name === 'docs/README.md')?.text ?? '';
const below = all
  .map(({ name }) => name)
  .filter((name) => path.dirname(name) === 'docs' && name !== 'docs/README.md');

const READERS = ['Partner', 'Publisher', 'Deployer', 'On call', 'Analyst', 'Contributor'];
const sections = index.split(/^## /m).map((text) => {
  const [heading = '', ...lines] = text.split('\n');
  return { heading, lines };
});

test('the index has one line for each page below a reader', () => {
  const listed = sections
    .filter(({ heading }) => READERS.includes(heading))
    .flatMap(({ lines }) => lines.filter((line) => line.startsWith('- [')));
  const count = (name: string) => listed.filter((line) => line.includes(`](${path.basename(name)})`)).length;
  expect(below.filter((name) => count(name) !== 1)).toEqual([]);
});
