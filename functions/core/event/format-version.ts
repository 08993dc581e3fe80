import type * as z from 'zod/mini';
import { explanationOf, reasonOf } from '../errors/error-reason.ts';

type Shape = Readonly<Record<string, unknown>>;

/**
 * A format of records that outlive a deployment. The member `v` of a record is its version, from 1. A new
 * version is readable before it is written: see docs/releasing.md.
 */
export interface Format<Value> {
  /** Schema of the newest version. */
  readonly schema: z.ZodMiniType<Value>;
  /**
   * Upgrades from version 1 to 2, from 2 to 3, and so on. An upgrade renames, fills in and sets `v`. It never
   * throws: invalid fields stay invalid for the schema to report.
   */
  readonly upgrades: readonly ((older: Shape) => Shape)[];
}

/** The value of a record; or that its version is newer than this code knows; or what is wrong with it. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'unreadable'; readonly explanation: string };

/** Reads a record of this version or an earlier one. Never throws. */
export function readFormat<Value>(record: unknown, { schema, upgrades }: Format<Value>): Reading<Value> {
  const newest = upgrades.length + 1;
  const version = versionOf(record);
  if (version !== undefined && version > newest) {
    return { kind: 'newer', version };
  }
  const upgraded = upgrades
    .slice((version ?? newest) - 1)
    .reduce<unknown>((older, upgrade) => upgrade(older as Shape), record);
  const parsed = schema.safeParse(upgraded, { error: reasonOf });
  return parsed.success
    ? { kind: 'read', value: parsed.data }
    : { kind: 'unreadable', explanation: explanationOf(parsed.error, 'record') };
}

/** Undefined when the record has no version. */
function versionOf(record: unknown): number | undefined {
  const version = typeof record === 'object' && record !== null && 'v' in record ? record.v : undefined;
  return typeof version === 'number' && Number.isInteger(version) && version >= 1 ? version : undefined;
}

/** A stored item of a newer version: while deployments overlap, the newer code can read it. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
}
