import { type Answer, refusal } from '../core/api/answer.ts';
import { readJson, UnclearJsonError, wellFormedJson } from '../core/event/json-text.ts';
import { parseExactly } from '../core/filter/decimal.ts';

/** In bytes of UTF-8. Several times what a subscription with the longest values needs. */
const MAX_BODY_BYTES = 16_384;

/**
 * The value of a request's body, or why it cannot be parsed. A number that no double holds is a `DigitsOnly`:
 * no field takes one, so none is rounded without a word.
 *
 * @param contentEncoding as its header says; what is JSON all the same is taken
 * @param maxBytes in bytes of UTF-8
 */
export function jsonBody(
  body: string,
  contentEncoding = 'identity',
  maxBytes = MAX_BODY_BYTES,
): { readonly value: unknown } | { readonly refused: Answer } {
  if (Buffer.byteLength(body) > maxBytes) {
    return { refused: refusal('content-too-large', `The body must be at most ${maxBytes} bytes.`) };
  }
  if (body.trim() === '') {
    return { refused: refusal('malformed-request', 'The body is empty: send a JSON object.') };
  }
  try {
    readJson(body);
    // DynamoDB refuses half a character, and no event has one for a filter to match.
    if (wellFormedJson(body) !== body) {
      throw new UnclearJsonError('has a surrogate such as \\ud83d without its other half: send both');
    }
    return { value: parseExactly(body) };
  } catch (error) {
    if (error instanceof UnclearJsonError) {
      return { refused: refusal('malformed-request', `The body ${error.message}.`) };
    }
    if (contentEncoding.trim().toLowerCase() !== 'identity') {
      return {
        refused: refusal(
          'malformed-request',
          'The body is encoded, as content-encoding says, and such bodies are not accepted: send plain JSON, without that header.',
        ),
      };
    }
    const { message } = error as SyntaxError;
    return { refused: refusal('malformed-request', `The body is not JSON${positionOf(message, body)}.`) };
  }
}

/** Whether a body is empty or an empty object, which some clients send where none is needed. */
export function isNothing(body: string): boolean {
  return /^(\{\s*\})?$/.test(body.trim());
}

/** Where the parser stopped, if it says so; never what it found there. */
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
