import { globSync } from 'node:fs';
import path from 'node:path';

const TESTS = path.resolve(import.meta.dirname, '..');

/**
 * Runs all test files of folders as one. Jest loads the product and its dependencies anew for each test file,
 * which for most takes longer than their tests; so it loads them once. A file is also one of its own project
 * (`unit`, `stacks`), for whoever works on it.
 */
export function together(...folders: readonly string[]): void {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: TESTS }));
  for (const file of files.sort()) {
    describe(file, () => {
      require(path.join(TESTS, file));
    });
  }
}
