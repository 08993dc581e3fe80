import * as z from 'zod';

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
