import type { RestoreOptions } from './restore-options.ts';

/** What was found of a restored table, by its items; of keys also what became of their messages. */
export interface Counts {
  lookedAt: number;
  /** Not there: copied with --yes. */
  missing: number;
  /** There in an earlier state: replaced with --yes. */
  older: number;
  same: number;
  /** Has changed since, and stays. */
  newer: number;
  /** Its time to live is over. */
  expired: number;
  /** Pointers to messages that have ended since. */
  ended: number;
  /** Pointers to messages that the history does not know. */
  unknown: number;
  /** Somebody was faster: it stays as they left it. */
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

export function restoreText({ table, from, yes }: RestoreOptions, counts: Counts): string {
  const { lookedAt, missing, older, same, newer, expired, ended, unknown, overtaken } = counts;
  const lines: [number, string][] = [
    [missing, yes ? 'were missing, and are copied' : 'are missing, and would be copied'],
    [older, yes ? 'were older, and are replaced' : 'are older, and would be replaced'],
    [same, 'are the same'],
    [newer, 'have changed since, and stay as they are'],
    [expired, 'have had their time, and stay away'],
    [ended, 'point to messages that have ended since, and stay away'],
    [
      unknown,
      'point to messages that the history does not know, and stay away: restore history first, then this once more',
    ],
    [overtaken, 'were just being changed by somebody else, and stay as they are'],
  ];
  return [
    `${lookedAt} items of ${from} looked at, for ${table}:`,
    ...lines.filter(([count]) => count > 0).map(([count, what]) => `  ${count} ${what}`),
    ...(yes ? [] : ['Nothing was changed. --yes copies.']),
  ].join('\n');
}
