/**
 * The size of an item in DynamoDB. Assumes ASCII texts: one byte per character. Source: "DynamoDB item sizes
 * and formats", Amazon DynamoDB Developer Guide.
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) {
      bytes += name.length + valueBytes(value);
    }
  }
  return bytes;
}

function valueBytes(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length;
    case 'number':
      return Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + 1;
    case 'boolean':
      return 1;
    default:
      return value === null ? 1 : containerBytes(value as object);
  }
}

/** Three bytes for a list or map, plus one per member. */
function containerBytes(value: object): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((bytes: number, one) => bytes + 1 + valueBytes(one), 3);
  const members = Object.values(value).filter((one) => one !== undefined).length;
  return 3 + members + itemBytes(value as Record<string, unknown>);
}

/** A write unit covers up to 1 KB. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1_024));
}

/** A strongly consistent read unit covers up to 4 KB. Reading a missing item costs one, too. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4_096));
}
