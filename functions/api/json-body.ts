import { type Answer, refusal } from './answer.ts';

/** Several times what a subscription with the longest values needs. In bytes of UTF-8. */
export const MOST_BODY_BYTES = 16_384;

/** What a request's body says, or why it is not read. */
export function jsonBody(body: string): { readonly value: unknown } | { readonly refused: Answer } {
  if (Buffer.byteLength(body) > MOST_BODY_BYTES) {
    return { refused: refusal('content-too-large', `The body has more than ${MOST_BODY_BYTES} bytes.`) };
  }
  if (body.trim() === '') {
    return { refused: refusal('malformed-request', 'The body is empty: send a JSON object.') };
  }
  try {
    return { value: JSON.parse(body) };
  } catch {
    return { refused: refusal('malformed-request', 'The body is not JSON.') };
  }
}
