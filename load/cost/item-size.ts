/**
 * How many bytes an item takes up in DynamoDB. Texts are taken for ASCII: one byte for each character. Source: "DynamoDB item sizes and formats", Amazon
 * DynamoDB Developer Guide.
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

export function valueBytes(value: unknown): number {
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

/** Three bytes for a list or map, and one for each of its members. */
function containerBytes(value: object): number {
  if (Array.isArray(value)) {
    return value.reduce((bytes: number, one) => bytes + 1 + valueBytes(one), 3);
  }
  const members = Object.values(value).filter((one) => one !== undefined).length;
  return 3 + members + itemBytes(value as Record<string, unknown>);
}

/** A started kilobyte is a write unit. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1_024));
}

/** Four started kilobytes are a strongly consistent read unit; also what is not there costs one. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4_096));
}
