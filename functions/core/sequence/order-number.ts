/** Order numbers of SQS have 20 digits, and may have up to 39. */
const LONGEST_ORDER_NUMBER = 39;

/**
 * The position of a message behind its ordering key: by its order number. A message that had ended and is
 * sent late comes behind all that have not ended, and among others like it by its order number.
 */
export function positionOf({ order_number }: { readonly order_number: string }, late = false): string {
  const [number = '', ...rank] = order_number.split('.');
  // A tilde sorts after all digits, and a number with a rank right after the number itself.
  return [`${late ? '~' : ''}${number.padStart(LONGEST_ORDER_NUMBER, '0')}`, ...rank].join('.');
}

/** The order number right behind another: taken by no record. */
export function rightBehind(orderNumber: string): string {
  const [number, rank = '0'] = orderNumber.split('.');
  return `${number}.${String(Number(rank) + 1).padStart(4, '0')}`;
}
