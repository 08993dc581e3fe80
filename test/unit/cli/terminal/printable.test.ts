import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import { keyText } from '../../../../cli/operator/stuck/stuck-report.ts';
import type { News } from '../../../../cli/partner/delivery-feed.ts';
import { refusedError } from '../../../../cli/partner/refused-error.ts';
import { memberLines } from '../../../../cli/partner/text/changed-text.ts';
import { feedLines } from '../../../../cli/partner/text/delivery-line.ts';
import {
  cutTo,
  printable,
  printableError,
  printableOutput,
  terminal,
  textTable,
} from '../../../../cli/terminal/terminal.ts';

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['clears the screen', '\u001B[2J\u001B[H', '\\u001b[2J\\u001b[H'],
  ['sets the window title', '\u001B]0;pwned\u0007', '\\u001b]0;pwned\\u0007'],
  ['hides text', '\u001B[8mhidden', '\\u001b[8mhidden'],
  ['is an 8-bit control sequence', '\u009B2J', '\\u009b2J'],
  ['goes back over the line', 'all is well\rfailed', 'all is well\\u000dfailed'],
  ['begins a line of its own', 'a\nsub_1 is closed', 'a\\u000asub_1 is closed'],
  ['ends a line in other ways', 'a\u2028b\u2029c\u0085', 'a\\u2028b\\u2029c\\u0085'],
  ['overwrites', 'abc\b\b\b\u007F', 'abc\\u0008\\u0008\\u0008\\u007f'],
  ['holds a NUL', 'a\u0000b', 'a\\u0000b'],
  ['turns the direction', '\u202Egpj.exe\u2066\u200F', '\\u202egpj.exe\\u2066\\u200f'],
  ['is invisible', 'pay\u200Bment\uFEFF\u00AD', 'pay\\u200bment\\ufeff\\u00ad'],
  ['writes in invisible tags', '\u{E0041}', '\\udb40\\udc41'],
  ['is half a character', '\uD800', '\\ud800'],
];

test.each(HOSTILE)('a text that %s is shown as what it is', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test.each(HOSTILE)('in JSON a text that %s keeps its value', (_, text) => {
  const json = printableOutput(JSON.stringify({ description: text }));
  expect(JSON.parse(json)).toEqual({ description: text });
  expect(json).toMatch(/^[\x20-\x7e]+$/);
});

test('the ends of lines of CSV stay', () => {
  expect(printableOutput('service,day\r\ndemo,\r2026')).toBe('service,day\r\ndemo,\\u000d2026');
});

test('what people write stays: letters of all alphabets, signs and pictures', () => {
  const text = 'Bäckerei „Łódź“, パン屋, מאפייה, 🍞 & ½ €';
  expect(printable(text)).toBe(text);
});

test.each([
  ['a table', (text: string) => textTable([['a', text, 'b']]).join('\n')],
  ['the members of a subscription', (text: string) => memberLines({ description: text, [text]: [text] })],
  [
    'a delivery that is followed',
    (text: string) =>
      feedLines([], pc.createColors(false)).line({
        subscription: text,
        message: { state: 'parked', attempt_count: 0, admitted_at: '', event_type: text, payment_id: text },
      } as unknown as News),
  ],
  [
    'a refusal of the API',
    (text: string) =>
      refusedError('POST', 400, { title: 'Bad', detail: text, errors: [{ field: text, reason: text }] })
        .message,
  ],
  ['an answer that is no problem document', (text: string) => refusedError('GET', 400, { text }).message],
  [
    'why a payment waits for an operator',
    (text: string) =>
      keyText(
        text,
        { state: 'stuck', since: '', explanation: text } as unknown as Parameters<typeof keyText>[1],
        [],
        0,
      ),
  ],
])('%s holds nothing that a terminal obeys', (_, show) => {
  const lines = show('harmless').split('\n').length;
  for (const [, text] of HOSTILE) {
    const shown = show(text);
    expect(shown).toMatch(/^[\P{C}\n]*$/u);
    expect(shown.split('\n')).toHaveLength(lines);
  }
});

test('a long text is cut after it was made harmless: never wider than its column', () => {
  expect(cutTo(8, 'https://partner.example')).toBe('https:/…');
  expect(cutTo(8, '\u001B[31mred')).toBe('\\u001b[…');
  expect(cutTo(8, 'short')).toBe('short');
});

test('a terminal gets ends of lines and colours of ours, and nothing else that it would obey', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), isTTY: true };
  const { print, progress } = terminal([], { stdout: stream, stderr: stream });
  print(`${pc.createColors(true).red('failed')}: \u001B[2J\u202E\n`);
  progress?.('looking at \u001B]0;x\u0007');
  expect(written.join('')).toContain('\u001B[31mfailed\u001B[39m: \\u001b[2J\\u202e\n');
  expect(written.join('')).not.toMatch(/[\p{Cf}]/u);
  expect(written.join('')).toContain('looking at \\u001b]0;x\\u0007');
});

test('an error that nobody foresaw shows its stack, and nothing that a terminal obeys', () => {
  const shown = printableError(new Error('of \u001B[2J'));
  expect(shown).toContain('printable.test.ts');
  expect(shown).not.toContain('\u001B[2J');
});

test('no command writes to a terminal past this', () => {
  const root = path.join(import.meta.dirname, '../../../..');
  // Which says what Node is too old, before anything of ours is loaded.
  const before = 'bin/cli.ts';
  const files = globSync(['cli/**/*.ts', 'bin/*.ts'], { cwd: root }).filter((file) => file !== before);
  const past = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /console\.|process\.std(out|err)\.write/.test(line))
      .filter((line) => !line.includes('console.error(printableError('))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(past).toEqual([]);
});
