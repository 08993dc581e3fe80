import { CHANGED_HEALTH_ATTRIBUTES } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-update.ts';
import { OPERATORS, subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { STAGE_KEYS } from '../../../functions/core/attempt/stage-keys.ts';

/** Lets a write change these attributes only; those of the key are among them. */
export function writesOnly(...attributes: readonly string[]) {
  return { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } };
}

/** Lets a read of a table see these attributes only. A request that does not name its attributes is refused. */
export function onlyAttributes(attributes: readonly string[]) {
  return { ...writesOnly(...attributes), StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' } };
}

/** Limits a grant to the items with this partition key. */
export function itemsOf(key: string) {
  return { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': key } };
}

/** The same, by how the partition key begins. */
export function itemsBeginningWith(prefix: string) {
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': `${prefix}*` } };
}

/** A write must not return the item that it replaces. */
export const RETURNS_NOTHING = { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } };

/** The stage's keys, among the secrets and among the subscriptions. */
export const OF_STAGE_KEYS = itemsOf(STAGE_KEYS);

/** The operators' part of the audit trail. */
export const OPERATORS_TRAIL = itemsOf(OPERATORS);

/** Lets a write change the circuit of a subscription, but nothing that a partner has set. */
export const CIRCUIT_ONLY = writesOnly(
  subscriptionsTable.partitionKey,
  subscriptionsTable.sortKey,
  ...CHANGED_HEALTH_ATTRIBUTES,
);
