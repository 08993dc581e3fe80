import { namesOn } from '../text/rfc-6901.ts';

/** A resource with nothing but what its subscription asked for: the steps of a JSON Pointer, one below the other. */
interface Kept {
  readonly [name: string]: Kept | 'all';
}

/** They are on record with each message. In bytes of UTF-8. */
const MAX_FIELDS_BYTES = 512;

/** A JSON Pointer that names a member. Source: RFC 6901, section 3. */
const MEMBER_PATH = /^(?:\/(?:[^/~]|~[01])*)+$/;

/** Why a list of them is of no use: ends a sentence that begins with its name. */
export function faultOfFields(fields: readonly string[]): string | undefined {
  const bytes = Buffer.byteLength(fields.join(''));
  if (!fields.every((one) => MEMBER_PATH.test(one))) {
    return 'must be JSON Pointers into resource, such as /amount or /card_details/card_brand';
  }
  return bytes > MAX_FIELDS_BYTES
    ? `must have at most ${MAX_FIELDS_BYTES} bytes together, not ${bytes}`
    : undefined;
}

/**
 * The JSON text of a resource with these members only, in its own order; numbers are the text that they were.
 * What is not there is left out. In a list, a field means the member of each element.
 */
export function projected(resource: string, fields: readonly string[]): string {
  const kept = Object.create(null) as Record<string, Kept | 'all'>;
  for (const field of fields) {
    keep(kept, namesOn(field));
  }
  const value: unknown = JSON.parse(resource, ((
    _: string,
    member: unknown,
    { source }: { source?: string } = {},
  ) => (typeof member === 'number' && source !== undefined ? raw(source) : member)) as Parameters<
    typeof JSON.parse
  >[1]);
  return JSON.stringify(only(kept, value) ?? {});
}

/** Written as it is. Source: ECMAScript proposal "JSON.parse source text access", which Node 22 has. */
const raw = (source: string) => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(source);
const isRaw = (value: object) => (JSON as unknown as { isRawJSON(of: unknown): boolean }).isRawJSON(value);

function keep(kept: Record<string, Kept | 'all'>, [name = '', ...below]: readonly string[]): void {
  const known = kept[name];
  if (below.length === 0) {
    kept[name] = 'all';
  } else if (known !== 'all') {
    kept[name] = known ?? (Object.create(null) as Kept);
    keep(kept[name] as Record<string, Kept | 'all'>, below);
  }
}

/** Undefined: nothing of it is kept. */
function only(kept: Kept, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => only(kept, element)).filter((element) => element !== undefined);
  }
  if (typeof value !== 'object' || value === null || isRaw(value)) {
    return undefined;
  }
  const members = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    const below = kept[name];
    const member = (value as Record<string, unknown>)[name];
    const found = below === undefined || below === 'all' ? below && member : only(below, member);
    if (found !== undefined) {
      members[name] = found;
    }
  }
  return members;
}
