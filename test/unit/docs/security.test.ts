import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

test('every bound on what one partner can take stands in the file that is named beside it', () => {
  const section = /## What one partner can take\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const bounds = section.split('\n').flatMap((row) => {
    const files = [...row.matchAll(/`((?:functions|lib)\/[\w/.-]+)`/g)].map(([, file]) => file!);
    const codes = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
    return [...row.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => ({
      name,
      isThere: codes.includes(` ${name} =`),
    }));
  });
  expect(bounds.length).toBeGreaterThan(10);
  expect(bounds.filter(({ isThere }) => !isThere)).toEqual([]);
});
