import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CORE = path.resolve(import.meta.dirname, '../../../functions/core');

/** The rows of the README: each layer, lowest first, with those that it may use. */
const layers = new Map(
  [...readFileSync(path.join(CORE, 'README.md'), 'utf8').matchAll(/^\| \[([\w-]+)\].*\|([^|]*)\|$/gm)].map(
    ([, layer = '', uses = '']) => [
      layer,
      uses
        .split(',')
        .map((use) => use.trim())
        .filter(Boolean),
    ],
  ),
);
const order = [...layers.keys()];

test('every folder of the core is a layer', () => {
  expect(
    globSync('*/', { cwd: CORE })
      .map((folder) => path.basename(folder))
      .sort(),
  ).toEqual(order.toSorted());
});

test.each([...layers])('%s imports layers below it, and says which', (layer, uses) => {
  expect(uses.filter((use) => order.indexOf(use) >= order.indexOf(layer))).toEqual([]);
  const imported = globSync(`${layer}/**/*.ts`, { cwd: CORE }).flatMap((file) =>
    [...readFileSync(path.join(CORE, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(
      ([, target = '']) => path.join(path.dirname(file), target).split('/')[0],
    ),
  );
  expect([...new Set(imported)].filter((other) => other !== layer).sort()).toEqual(uses.toSorted());
});
