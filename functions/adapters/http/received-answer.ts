import { STATUS_CODES } from 'node:http';
import type { AttemptResult } from '../../core/attempt/attempt.ts';
import type { ConnectionFailure } from './connection-failure.ts';

/** How much of a response body is kept: enough for an error message, or to recognise a page of HTML. */
export const MAX_BODY_BYTES = 4_096;

/** The response headers that decide what happens next; no others are kept. */
const KEPT_HEADERS = ['retry-after', 'webhook-delivery'] as const;

/** An answer while it arrives. */
export interface ReceivedAnswer {
  begin(statusCode: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  hasBegun(): boolean;
  /** False when no more is needed. */
  take(chunk: Buffer): boolean;
  /** The attempt result so far. @param failure what kept the answer from being complete */
  outcome(failure?: ConnectionFailure): Omit<AttemptResult, 'duration_ms'>;
}

export function receivedAnswer(): ReceivedAnswer {
  const chunks: Buffer[] = [];
  let received = 0;
  let status: number | undefined;
  let kept: Record<string, string> = {};

  return {
    begin(statusCode, headers) {
      status = statusCode;
      kept = Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => {
          const value = headers[name];
          return value === undefined ? [] : [[name, Array.isArray(value) ? value[0]! : value]];
        }),
      );
    },

    hasBegun: () => status !== undefined,

    take(chunk) {
      // Copied: the chunk is a view of a receive buffer of 64 KB.
      chunks.push(Buffer.from(chunk.subarray(0, MAX_BODY_BYTES - received)));
      received += chunk.length;
      return received < MAX_BODY_BYTES;
    },

    outcome(failure) {
      if (status === undefined) {
        return { ...failure };
      }
      const isRefusal = status < 200 || status > 299;
      return {
        status_code: status,
        response_body: text(Buffer.concat(chunks), received >= MAX_BODY_BYTES),
        ...(Object.keys(kept).length === 0 ? {} : { response_headers: kept }),
        ...(isRefusal ? refusal(status) : failure),
      };
    },
  };
}

function refusal(status: number): ConnectionFailure {
  // The phrase of the standard, not of the endpoint: outside text must not enter our sentences.
  const phrase = STATUS_CODES[status];
  return {
    failure_class: 'http_status',
    failure_reason: `answered ${status}${phrase === undefined ? '' : ` ${phrase}`}`,
  };
}

/** A byte order mark that is decoded again is part of the text by then. */
const SAME_TEXT = { ignoreBOM: true };

/** UTF-8 of at most 4 KB: invalid bytes are replaced, a character cut in two is dropped. */
function text(bytes: Buffer, isCut: boolean): string {
  const decoded = new TextDecoder().decode(bytes, { stream: isCut });
  const encoded = Buffer.from(decoded);
  // A replacement character takes three bytes.
  return encoded.length <= MAX_BODY_BYTES
    ? decoded
    : new TextDecoder('utf-8', SAME_TEXT).decode(encoded.subarray(0, MAX_BODY_BYTES), { stream: true });
}
