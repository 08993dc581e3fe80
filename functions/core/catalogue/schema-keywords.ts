/** Keywords of JSON Schema whose value is data, not a schema. */
export const DATA_KEYWORDS: readonly string[] = ['const', 'default', 'enum', 'examples'];

/** Keywords whose value has schemas by names that somebody chose. */
export const MAP_KEYWORDS: readonly string[] = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
];
