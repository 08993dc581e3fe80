import { printable } from '../../terminal/printable.ts';

/** The members of an object as lines, nested ones with a dot, without absent ones. */
export function memberLines(value: object): string {
  const rows = rowsOf(value, '').map(([name, text]) => [printable(name), printable(text)] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

function rowsOf(value: object, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (Array.isArray(member)) {
      return [[`${prefix}${name}`, member.length === 0 ? 'none' : member.join(' ')]];
    }
    return typeof member === 'object' && member !== null
      ? rowsOf(member, `${prefix}${name}.`)
      : [[`${prefix}${name}`, member === '' ? 'none' : String(member)]];
  });
}
