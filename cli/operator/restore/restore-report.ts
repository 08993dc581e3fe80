import * as z from 'zod';

/** What was found in a restored table, by its items; of ordering keys also what became of their messages. */
export interface Counts {
  lookedAt: number;
  /** Not there: copied with --yes. */
  missing: number;
  /** There in an earlier state: replaced with --yes. */
  older: number;
  same: number;
  /** Has changed since: left as it is. */
  newer: number;
  /** Its time to live has passed. */
  expired: number;
  /** Queued messages that have ended since, and events that have continued. */
  ended: number;
  /**
   * Queued messages that the history does not know, and events of which nothing says how far their payment
   * is.
   */
  unknown: number;
  /** Somebody else was changing it: left as they left it. */
  overtaken: number;
}

export const NOTHING: Counts = {
  lookedAt: 0,
  missing: 0,
  older: 0,
  same: 0,
  newer: 0,
  expired: 0,
  ended: 0,
  unknown: 0,
  overtaken: 0,
};

export function restoreText(
  { table, from, yes }: { readonly table: string; readonly from: string; readonly yes: boolean },
  counts: Counts,
): string {
  const { lookedAt, missing, older, same, newer, expired, ended, unknown, overtaken } = counts;
  const lines: [number, string][] = [
    [missing, yes ? 'were missing, and are copied' : 'are missing, and would be copied'],
    [older, yes ? 'were older, and are replaced' : 'are older, and would be replaced'],
    [same, 'are the same'],
    [newer, 'have changed since, and are left as they are'],
    [expired, 'have expired, and are not copied'],
    [
      ended,
      table === 'sequences'
        ? 'are events that have continued since, and are not copied'
        : 'are queued messages that have ended since, and are not copied',
    ],
    [
      unknown,
      table === 'sequences'
        ? 'are events whose payment has no sequence, then or now, and are not copied: restore a later second'
        : 'are queued messages that the history does not know, and are not copied: restore history first, then run this again',
    ],
    [overtaken, 'were being changed by somebody else, and are left as they are'],
  ];
  return [
    `${lookedAt} items of ${from} read, for ${table}:`,
    ...lines.filter(([count]) => count > 0).map(([count, what]) => `  ${count} ${what}`),
    ...(yes ? [] : ['Nothing was changed. --yes copies.']),
  ].join('\n');
}

export type Position = Readonly<Record<string, string>>;

/** A position in the restored table, as people hand it back. */
export function positionText(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Undefined when it is not one of ours. */
export function positionOf(text: string): Position | undefined {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    // Not JSON, or not the keys of an item.
    return undefined;
  }
}
