import { readFileSync } from 'node:fs';
import path from 'node:path';
import { STAGES } from '../../../lib/stages.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

test('every threat is answered, and proved by a test', () => {
  const section = /## Threats\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| **'));
  expect(rows.length).toBeGreaterThanOrEqual(15);
  const unproved = rows.filter((row) => !row.includes('`test/')).map((row) => /\*\*(.*?)\*\*/.exec(row)?.[1]);
  expect(unproved).toEqual([]);
});

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
  expect(bounds.length).toBeGreaterThan(15);
  expect(bounds.filter(({ isThere }) => !isThere)).toEqual([]);
});

test('it says which stages have a key of their own, and how long each keeps what has ended', () => {
  const keyed = Object.values(STAGES).filter((stage) => stage.customerManagedKey);
  expect(keyed.map(({ name }) => name)).toEqual(['local', 'dev', 'prod']);
  expect(text).toContain('is true (`local`, `dev`, `prod`)');
  expect(Object.values(STAGES).map(({ deliveryPolicy }) => deliveryPolicy.retentionDays)).toEqual(
    Object.values(STAGES).map(() => 90),
  );
});
