import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runSeparately } from '../../../support/separate-process.ts';
import type { Walks } from './walks.ts';

const FUNCTIONS = path.join(import.meta.dirname, '../../../../functions');
const README = readFileSync(path.join(FUNCTIONS, 'pipeline/README.md'), 'utf8');

let executed: Walks;
beforeAll(async () => {
  const source = `import { walks } from './walks.ts'; print(await walks());`;
  executed = (await runSeparately(source, { env: {}, cwd: import.meta.dirname })) as Walks;
});

test.each([
  ['An event', 'event', 33],
  ['A retry', 'retry', 24],
] as const)('the table below "%s" lists each file that it executes', (heading, walk, most) => {
  expectListed(heading, executed[walk]);
  expect(executed[walk].length).toBeLessThanOrEqual(most);
  expect(sectionOf(heading)).toContain(`\n${executed[walk].length} files`);
});

test('the table of numbered events lists each file that they execute besides', () => {
  const besides = executed.numbered.filter((file) => !executed.event.includes(file));
  expectListed('A numbered event', besides);
});

test.each(['An event', 'A retry'])('"%s" comes back to a folder of `deliver` twice at most', (heading) => {
  const folders = rowsOf(heading)
    .flatMap((row) => filesIn(row.split('|')[2] ?? ''))
    .map((file) => path.dirname(file))
    .filter((folder) => folder.startsWith('pipeline/deliver'));
  const visits = folders.filter((folder, index) => folder !== folders[index - 1]);
  const times = [...new Set(visits)].map((folder) => visits.filter((visit) => visit === folder).length);
  expect(Math.max(...times) - 1).toBeLessThanOrEqual(2);
});

/** With a sentence for each file that is not on the way any more, or is new on it. */
function expectListed(heading: string, files: readonly string[]): void {
  const listed = rowsOf(heading).flatMap(filesIn);
  expect([
    ...files
      .filter((file) => !listed.includes(file))
      .map((file) => `${file} is executed: functions/pipeline/README.md has to list it below "${heading}"`),
    ...listed
      .filter((file) => !files.includes(file))
      .map(
        (file) => `${file} is listed below "${heading}" in functions/pipeline/README.md, and not executed`,
      ),
    ...listed
      .filter((file, index) => listed.indexOf(file) !== index)
      .map((file) => `${file} is listed twice below "${heading}" in functions/pipeline/README.md`),
  ]).toEqual([]);
}

function sectionOf(heading: string): string {
  return README.split('\n## ').find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

function rowsOf(heading: string): string[] {
  return sectionOf(heading)
    .split('\n')
    .filter((line) => line.startsWith('| '));
}

/** The links of a piece of the page, as files below `functions/`. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+\.ts)\)/g)].map(([, file = '']) => path.join('pipeline', file));
}
