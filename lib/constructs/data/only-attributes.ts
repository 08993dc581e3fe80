/**
 * Lets a read of a table see these attributes only. A request that does not name its attributes is refused.
 */
export function onlyAttributes(attributes: readonly string[]) {
  return {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
    StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  };
}
