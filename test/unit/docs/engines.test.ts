import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const page = read('docs/engines.md');
const { roots, testPathIgnorePatterns } = JSON.parse(read('jest.config.json')).projects.find(
  ({ displayName }: { displayName: string }) => displayName === 'engines',
);

/** Below `test/`, without `.test.ts`. */
const files = roots
  .flatMap((root: string) =>
    globSync(`${root.replace('<rootDir>/test/', '')}/**/*.test.ts`, { cwd: path.join(PROJECT, 'test') }),
  )
  .map((file: string) => file.replace('.test.ts', ''))
  .sort();
const isLeftOut = (file: string) =>
  testPathIgnorePatterns.some((pattern: string) => new RegExp(pattern).test(`/test/${file}.test.ts`));

test('the files that are not run with DynamoDB Local are listed, each with a reason', () => {
  const listed = [...page.matchAll(/^\| `([^`]+)` \| \S.+ \|$/gm)].map(([, file]) => file);
  expect(listed).toEqual(files.filter(isLeftOut));
  expect(testPathIgnorePatterns).toHaveLength(listed.length);
});
