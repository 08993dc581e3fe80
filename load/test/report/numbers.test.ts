import { html, linked } from '../../report/html.ts';
import { bytes, dollars, duration, figure, instant, span } from '../../report/numbers.ts';

test.each([
  [0, '0 ms'],
  [0.41, '0.41 ms'],
  [8, '8 ms'],
  [999, '999 ms'],
  [1250, '1.25 s'],
  [119_000, '119 s'],
  [210_000, '3.5 min'],
  [7_200_000, '2 h'],
])('%d ms are written %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('numbers have three significant digits', () => {
  expect([0, 0.03125, 7.254, 123.4, 12_345.6].map(figure)).toEqual(['0', '0.0313', '7.25', '123', '12,346']);
  expect([50, 1024, 102_400, 1_048_576].map(bytes)).toEqual(['50 B', '1 KiB', '100 KiB', '1 MiB']);
  expect([45, 302.1, 7500].map(span)).toEqual(['45 s', '5 min 2 s', '2 h 5 min']);
});

test('money is always written to the cent', () => {
  expect([0, 0.0001, 0.0049, 0.005, 0.0312, 3.4, 1234.567].map(dollars)).toEqual([
    '$0.00',
    '<$0.01',
    '<$0.01',
    '$0.01',
    '$0.03',
    '$3.40',
    '$1,234.57',
  ]);
});

test('an instant is written in UTC, anything else unchanged', () => {
  expect(instant('2026-11-14T10:00:00.000Z')).toBe('14 Nov 2026, 10:00 UTC');
  expect(instant('yesterday')).toBe('yesterday');
});

test('values in markup are escaped, unless they are markup', () => {
  expect(
    String(html`<p title="${'"&'}">${'<b>'}${html`<i>${1}</i>`}${[null, undefined, false, 'a', 'b']}</p>`),
  ).toBe('<p title="&quot;&amp;">&lt;b&gt;<i>1</i>ab</p>');
});

test('web addresses become links, other schemes do not', () => {
  expect(String(linked('see https://example.org/a?b&c (javascript:alert(1))'))).toBe(
    'see <a href="https://example.org/a?b&amp;c" rel="noreferrer">https://example.org/a?b&amp;c</a> (javascript:alert(1))',
  );
});
