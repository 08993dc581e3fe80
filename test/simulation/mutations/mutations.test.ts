import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MUTATIONS } from './mutations.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');

test('each rule that is broken on purpose still stands in the code, once', () => {
  const astray = MUTATIONS.filter(
    ({ file, from }) => readFileSync(path.join(PROJECT, file), 'utf8').split(from).length !== 2,
  );
  expect(astray.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
});
