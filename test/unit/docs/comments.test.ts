import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** The width to which the formatter breaks code; it leaves comments alone. */
const WIDTH = 110;

test('comments fit the width of the code', () => {
  const files = globSync('{bin,cli,console,functions,lib,load,local,test}/**/*.{ts,tsx,cjs}', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  });
  const long = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > WIDTH && /^\s*(\/\/|\/\*|\*(?!\*))/.test(line) && !line.includes('biome-ignore')
          ? [`${file}:${index + 1}: ${line.length} characters`]
          : [],
      ),
  );
  expect(long).toEqual([]);
});
