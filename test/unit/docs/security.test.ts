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
  expect(bounds.length).toBeGreaterThan(15);
  expect(bounds.filter(({ isThere }) => !isThere)).toEqual([]);
});

test('the security review answers what a reviewer asks, on one screen', () => {
  const review = readFileSync(path.join(ROOT, 'docs/security-review.md'), 'utf8');
  const asked = [...review.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, question = '']) => question);
  expect(asked).toEqual(
    expect.arrayContaining([
      ...['WAF', 'Own domain, `execute-api` off', 'Mutual TLS', 'Signing secrets', 'Keys', 'Reads on record'],
      ...[
        'Trail that nobody can alter',
        'Locked backups',
        'Egress',
        'Who deploys',
        'Who operates',
        'Erasure',
      ],
    ]),
  );
  // At 1920 by 1080 pixels.
  expect(review.split(/\s+/).length).toBeLessThanOrEqual(600);
});
