/** How the items of the receiver's table are addressed: declared once for the stack and the store. */
export const receiverTable = {
  partitionKey: 'endpoint',
  sortKey: 'item',
  timeToLive: 'remove_at_epoch_seconds',
  settingsItem: 'settings',
  /** What the items of all receipts start with. */
  receiptPrefix: 'receipt#',
  /** What the items start with that count what was taken in a second. */
  takenPrefix: 'taken#',
} as const;

/**
 * The item of a receipt: sorts by arrival, and within a millisecond of one instance by its count.
 *
 * @param instance tells apart what arrives at two instances in the same millisecond
 */
export function receiptItem(receivedAt: string, instance: string, count: number): string {
  return `${receiverTable.receiptPrefix}${receivedAt}#${instance}#${String(count).padStart(9, '0')}`;
}
