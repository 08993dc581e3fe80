import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namedInOurs, OUR_TESTS } from '../../support/conformance/our-tests.ts';
import { conformancePage } from '../../support/conformance/page.ts';
import { ROWS } from '../../support/conformance/table.ts';
import { namedIn, titlesIn, titlesOf } from '../../support/conformance/titles.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');
const FOLDER = path.join(PROJECT, 'test/thorough/conformance');

const testOf = (verdict: (typeof ROWS)[number]['verdict']) => ('test' in verdict ? verdict.test : undefined);
const idOf = ({ of: { peer, file }, scenario }: Pick<(typeof ROWS)[number], 'of' | 'scenario'>) =>
  `${peer} ${file} ${scenario}`;

const conformance = globSync('*.test.ts', { cwd: FOLDER }).map((name) => {
  const file = name.replace('.test.ts', '');
  return { file, titles: titlesIn(`thorough/conformance/${file}`) };
});
/** For each scenario that a title names, the files in which it does. */
const filesNaming = Map.groupBy(
  conformance.flatMap(({ file, titles }) =>
    titles.flatMap((title) =>
      namedIn(title).map((one) => ({ file, id: `${one.peer} ${one.file} ${one.scenario}` })),
    ),
  ),
  ({ id }) => id,
);

/**
 * The hashes of the names as we read them, sorted, each on a line: a row that is renamed or missing changes
 * them.
 */
test.each([
  ['Svix', 111, 'd80509987c36657f3b5a3075c44706a9ff8f336e4e7f4bc964029ca6b7c65d6f'],
  ['Outpost', 114, '37f4b3e57946f252e39f8a705d62460e4ed4a79d498e2ce0826777f01b2673b3'],
])('each scenario of %s has one row, under its name', (peer, count, hash) => {
  const ids = ROWS.filter(({ of }) => of.peer === peer).map(idOf);
  expect(ids).toHaveLength(count);
  expect(new Set(ids).size).toBe(count);
  expect(createHash('sha256').update(ids.sort().join('\n')).digest('hex')).toBe(hash);
});

test('each scenario that a conformance test is for is named in one of its titles, and no other', () => {
  const isWritten = (test: string | undefined) => test !== undefined && !(test in OUR_TESTS);
  const wanted = ROWS.filter(({ verdict }) => isWritten(testOf(verdict)));
  const astray = wanted
    .map((row) => ({ id: idOf(row), file: testOf(row.verdict) }))
    .filter(({ id, file }) => filesNaming.get(id)?.some((one) => one.file === file) !== true);
  expect(astray).toEqual([]);
  const known = new Set(wanted.map(idOf));
  expect([...filesNaming.keys()].filter((id) => !known.has(id))).toEqual([]);
});

test('each other test that a row relies on exists, and is relied on', () => {
  const missing = Object.values(OUR_TESTS).filter(({ file, title }) => !titlesIn(file).includes(title));
  expect(missing).toEqual([]);
  const used = new Set<string | undefined>(ROWS.map(({ verdict }) => testOf(verdict)));
  expect(Object.keys(OUR_TESTS).filter((name) => !used.has(name))).toEqual([]);
});

test('a test of ours names only scenarios whose rows rely on it', () => {
  const relied = new Set(ROWS.map((row) => `${testOf(row.verdict)}: ${idOf(row)}`));
  const named = Object.entries(OUR_TESTS).flatMap(([name, { title }]) =>
    namedInOurs(title).map((id) => `${name}: ${id}`),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((one) => !relied.has(one))).toEqual([]);
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
