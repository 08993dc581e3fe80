import { globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MAX_FILES = 15;

test('a folder of code has so few files that one sees what is in it', () => {
  const files = globSync('{bin,cli,console,functions,lib,load,local,test}/**/*.*', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  });
  const folders = Map.groupBy(files, (file) => path.dirname(file));
  expect([...folders].filter(([, inside]) => inside.length > MAX_FILES).map(([name]) => name)).toEqual([]);
});
