import { readFileSync } from 'node:fs';
import path from 'node:path';

const TESTS = path.resolve(import.meta.dirname, '../..');

/** The tests of a source that run: also of `.each` and `.concurrent`, but of neither `.skip` nor `.todo`. */
const TEST = /(?:\btest(?:\.concurrent)?|^ *test\.each\([^;]*?\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/gms;

/** A group that does not run, up to the line that closes it. */
const SKIPPED_GROUP = /^( *)(?:describe\.skip|xdescribe)\b.*?^\1[})]+;$/gms;

/** The titles of the tests in a file. @param file below `test/`, without `.test.ts` */
export function titlesIn(file: string): string[] {
  return titlesOf(readFileSync(path.join(TESTS, `${file}.test.ts`), 'utf8'));
}

export function titlesOf(source: string): string[] {
  return [...source.replaceAll(SKIPPED_GROUP, '').matchAll(TEST)].map(([, , title = '']) =>
    title.replaceAll(/\\(.)/g, '$1'),
  );
}

/**
 * A scenario that a title names: `Svix e2e_auth.rs test_a, test_b; Outpost api_test.go TestC: what it shows`.
 */
export interface Named {
  readonly peer: string;
  readonly file: string;
  readonly scenario: string;
}

/** The scenarios that a title names before its colon. @throws for a title that names none */
export function namedIn(title: string): Named[] {
  const [head = ''] = title.split(': ');
  return head.split('; ').flatMap((part) => {
    const [, peer, file, scenarios] = /^(Svix|Outpost) (\S+) (.+)$/.exec(part) ?? [];
    if (peer === undefined || file === undefined || scenarios === undefined) {
      throw new Error(`"${title}" must begin with the scenarios that it is about`);
    }
    return scenarios.split(', ').map((scenario) => ({ peer, file, scenario }));
  });
}
