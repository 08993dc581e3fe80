import { readJson, UnclearJsonError } from '../core/event/json-text.ts';
import { type Answer, refusal } from './answer.ts';

/** Several times what a subscription with the longest values needs. In bytes of UTF-8. */
export const MAX_BODY_BYTES = 16_384;

/** What a request's body says, or why it is not read. */
export function jsonBody(body: string): { readonly value: unknown } | { readonly refused: Answer } {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
    return { refused: refusal('content-too-large', `The body has more than ${MAX_BODY_BYTES} bytes.`) };
  }
  if (body.trim() === '') {
    return { refused: refusal('malformed-request', 'The body is empty: send a JSON object.') };
  }
  try {
    return { value: readJson(body).value };
  } catch (error) {
    if (error instanceof UnclearJsonError) {
      return { refused: refusal('malformed-request', `The body ${error.message}.`) };
    }
    const { message } = error as SyntaxError;
    return { refused: refusal('malformed-request', `The body is not JSON${positionOf(message, body)}.`) };
  }
}

/** Whether a body says nothing, as clients send one where none is asked for. */
export function isNothing(body: string): boolean {
  return /^(\{\s*\})?$/.test(body.trim());
}

/** Where the parser has stopped, as far as it says so; never what it has found there. */
function positionOf(message: string, body: string): string {
  const [, position, line, column] = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message) ?? [];
  if (message.includes('end of JSON input') || Number(position) >= body.length) {
    return ': it ends too early';
  }
  if (line !== undefined) {
    return `: see line ${line}, column ${column}`;
  }
  return position === undefined ? '' : `: see character ${Number(position) + 1}`;
}
