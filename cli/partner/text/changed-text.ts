import * as z from 'zod';
import type { ChangeView } from '../../../functions/core/api/change.ts';
import { printable } from '../../terminal/terminal.ts';

const secretsSchema = z.array(z.object({ secret_id: z.string(), expires_at: z.string().optional() }));
type Secrets = z.infer<typeof secretsSchema>;

/** What was changed in one line: of signing secrets only what differs. */
export function changedText(changed: NonNullable<ChangeView['changed']>): string {
  return Object.entries(changed)
    .map(([name, { from, to }]) => {
      const [before, after] = [from ?? [], to ?? []].map((value) => secretsSchema.safeParse(value).data);
      return name === 'signing_secrets' && before !== undefined && after !== undefined
        ? secretsText(before, after)
        : `${name}: ${valueText(from)} -> ${valueText(to)}`;
    })
    .join('; ');
}

function secretsText(before: Secrets, after: Secrets): string {
  const told = after.flatMap(({ secret_id, expires_at }) => {
    const earlier = before.find((secret) => secret.secret_id === secret_id);
    if (earlier === undefined) {
      return [`${secret_id} added`];
    }
    return earlier.expires_at === expires_at ? [] : [`${secret_id} expires at ${expires_at ?? 'no time'}`];
  });
  const removed = before.filter(({ secret_id }) => !after.some((secret) => secret.secret_id === secret_id));
  return `signing_secrets: ${[...told, ...removed.map(({ secret_id }) => `${secret_id} removed`)].join(', ')}`;
}

function valueText(value: unknown): string {
  return value === undefined || value === null
    ? 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

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
