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

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const SCALAR = new RegExp(`${STRING.source}|[^,\\]}]*`, 'y');

/**
 * The JSON text of a resource with these members only, each as it was written, in its own order. What is not
 * there is left out. In a list, a field means the member of each element.
 *
 * @param resource without blanks between tokens
 */
export function projected(resource: string, fields: readonly string[]): string {
  const kept = Object.create(null) as Record<string, Kept | 'all'>;
  for (const field of fields) {
    keep(kept, namesOn(field));
  }
  let at = 0;
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(resource) ?? [];
    at += found.length;
    return found;
  };
  /** Reads the value at `at`. Undefined: nothing of it is kept. */
  const keptOf = (wanted: Kept | 'all' | undefined): string | undefined => {
    const start = at;
    const opening = resource[at];
    if (opening !== '{' && opening !== '[') {
      read(SCALAR);
      return wanted === 'all' ? resource.slice(start, at) : undefined;
    }
    const found: string[] = [];
    do {
      at += 1;
      const name = opening === '{' ? read(STRING) : '';
      at += name === '' ? 0 : 1;
      // An empty object has no name.
      const below =
        opening === '[' || typeof wanted !== 'object' ? wanted : wanted[JSON.parse(name || '""') as string];
      const value = keptOf(below);
      if (value !== undefined) {
        found.push(name === '' ? value : `${name}:${value}`);
      }
    } while (resource[at] === ',');
    at += 1;
    return wanted === 'all'
      ? resource.slice(start, at)
      : wanted && `${opening}${found.join()}${opening === '{' ? '}' : ']'}`;
  };
  return keptOf(kept) ?? '{}';
}

function keep(kept: Record<string, Kept | 'all'>, [name = '', ...below]: readonly string[]): void {
  const known = kept[name];
  if (below.length === 0) {
    kept[name] = 'all';
  } else if (known !== 'all') {
    kept[name] = known ?? (Object.create(null) as Kept);
    keep(kept[name] as Record<string, Kept | 'all'>, below);
  }
}
