const RADIX = 36;

/**
 * A record's sequence number as short text that sorts like the number: how many digits, then the digits.
 * Numbers have 21 to 40 decimal digits, hence at most 26 of these. Source: "StreamRecord", Amazon DynamoDB
 * API Reference.
 */
export function streamPosition(sequenceNumber: string): string {
  const digits = BigInt(sequenceNumber).toString(RADIX);
  return `${digits.length.toString(RADIX)}${digits}`;
}
