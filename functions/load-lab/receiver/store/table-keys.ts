/** The keys of the receiver's table, declared once for the stack and the store. */
export const receiverTable = {
  partitionKey: 'endpoint',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  settingsItem: 'settings',
  /** The sort keys of receipts start with this. */
  receiptPrefix: 'receipt#',
} as const;

/**
 * The sort key of a receipt: sorts by arrival, and within a millisecond of one instance by its count.
 *
 * @param instance distinguishes arrivals at two instances in the same millisecond
 */
export function receiptItem(receivedAt: string, instance: string, count: number): string {
  return `${receiverTable.receiptPrefix}${receivedAt}#${instance}#${String(count).padStart(9, '0')}`;
}
