import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { conformancePage, fileOf } from '../../support/conformance/page.ts';
import { ROWS } from '../../support/conformance/table.ts';
import { namedIn, titlesIn, titlesOf } from '../../support/conformance/titles.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');

const idOf = ({ of: { peer, file }, scenario }: Pick<(typeof ROWS)[number], 'of' | 'scenario'>) =>
  `${peer} ${file} ${scenario}`;

const files = globSync('**/*.test.ts', { cwd: path.join(PROJECT, 'test') })
  .map((name) => name.replace('.test.ts', ''))
  .filter((file) => file !== 'unit/support/conformance');

/**
 * The hashes of the names as we read them, sorted, each on a line: a row that is renamed or missing changes
 * them.
 */
test.each([
  ['Svix', 111, 'd80509987c36657f3b5a3075c44706a9ff8f336e4e7f4bc964029ca6b7c65d6f'],
  ['Outpost', 114, 'c4d1e35cc23f0afcfbdb901683bd2efd4bb664fb5241a3e4bde11b49181c3d70'],
])('each scenario of %s has one row, under its name', (peer, count, hash) => {
  const ids = ROWS.filter(({ of }) => of.peer === peer).map(idOf);
  expect(ids).toHaveLength(count);
  expect(new Set(ids).size).toBe(count);
  expect(createHash('sha256').update(ids.sort().join('\n')).digest('hex')).toBe(hash);
});

test('each scenario that a row has a test for is named in a title of that test’s file, and in no other', () => {
  const rows = ROWS.flatMap(({ of: { peer, file }, scenario, verdict }) =>
    'test' in verdict
      ? scenario.split(', ').map((name) => `${fileOf(verdict.test)}: ${peer} ${file} ${name}`)
      : [],
  );
  const named = files.flatMap((file) =>
    titlesIn(file)
      .filter((title) => /^(?:Svix|Outpost) /.test(title) || file.startsWith('thorough/conformance/'))
      .flatMap(namedIn)
      .map((one) => `${file}: ${one.peer} ${one.file} ${one.scenario}`),
  );
  expect(named.sort()).toEqual(rows.sort());
});

test('titles are those of tests that run, however they are declared', () => {
  const source = `
test('one', () => {});
  test.concurrent("it's two", () => {});
test.each([['(', ')']])('three %s', () => {});
test.each(rows.map(([a]) => [a] as const))(
  'four',
  () => {},
);
test.skip('five', () => {});
test.todo('six');
xtest('seven', () => {});
describe('a group', () => {
  describe.skip.each([
    [1],
  ])('of %i', () => {
    test('eight', () => {});
  });
  test('nine', () => {});
});
xdescribe('another', () => {
  test('ten', () => {});
});`;
  expect(titlesOf(source)).toEqual(['one', "it's two", 'three %s', 'four', 'nine']);
  expect(() => namedIn('a title without a peer: a sentence')).toThrow('must begin with the scenarios');
});

test('what we do instead is told on a page of ours', () => {
  const untold = ROWS.filter(
    ({ verdict }) =>
      verdict.kind === 'replaced' &&
      !/\]\((?:\.\.\/load\/README|[a-z-]+)\.(md|json)(#[a-z0-9-]+)?\)/.test(verdict.instead),
  );
  expect(untold.map(idOf)).toEqual([]);
});

test('the page is generated from the table; after a change: write-page.ts', () => {
  expect(readFileSync(path.join(PROJECT, 'docs/conformance.md'), 'utf8')).toBe(conformancePage());
});
