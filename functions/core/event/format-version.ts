import type * as z from 'zod/mini';
import { explanationOf, reasonOf } from '../errors/error-reason.ts';

type Shape = Readonly<Record<string, unknown>>;

/**
 * A format of records that outlive a deployment. The member `v` of a record says its version, from 1. A version that is read need not be written yet: see
 * docs/releasing.md.
 */
export interface Format<Value> {
  /** Of the newest version. */
  readonly schema: z.ZodMiniType<Value>;
  /**
   * How version 1 becomes version 2, how 2 becomes 3, and so on. A step renames, fills in and sets `v`; it never throws, and what is wrong with a record it leaves
   * wrong, for the schema to say.
   */
  readonly upgrades: readonly ((older: Shape) => Shape)[];
}

/** What a record says; or that it is of a version to come, which a newer deployment can read; or what is wrong with it. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'unreadable'; readonly explanation: string };

/** Reads a record of this version or of any before it. Never throws. */
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

/** Undefined when it says none. */
function versionOf(record: unknown): number | undefined {
  const version = typeof record === 'object' && record !== null && 'v' in record ? record.v : undefined;
  return typeof version === 'number' && Number.isInteger(version) && version >= 1 ? version : undefined;
}

/** A stored item of a version to come: while two versions of a function run, the other one may know it. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
}
