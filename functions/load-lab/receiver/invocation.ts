import * as z from 'zod';
import { textOf } from './answer.ts';
import { control } from './control.ts';
import type { Sender } from './receive.ts';
import { type RoutePorts, route } from './route.ts';

/** A direct invocation that controls the receiver: whoever may invoke the function may control it. */
const controlEventSchema = z.object({
  control: z.object({ method: z.string(), path: z.string().startsWith('/'), body: z.unknown().optional() }),
});

/** Source: Lambda developer guide, "Request payload format", version 2.0. */
const urlEventSchema = z.object({
  version: z.literal('2.0'),
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: z.record(z.string(), z.string()),
  requestContext: z.object({ http: z.object({ method: z.string() }) }),
  body: z.string().optional(),
  isBase64Encoded: z.boolean(),
});

/** The part of the invocation's context that is used. */
export interface TimeLeft {
  getRemainingTimeInMillis(): number;
}

/** A hanging webhook stops waiting this long before the timeout, so that the function ends by itself. */
const RESERVE_MS = 500;

/**
 * Answers a request to the function URL, and `{ control: { method, path, body? } }` with `{ status, headers,
 * body? }`.
 *
 * @throws when the event is neither
 */
export async function invoked(event: unknown, timeLeft: TimeLeft, ports: RoutePorts) {
  const direct = controlEventSchema.safeParse(event);
  if (direct.success) return control(direct.data.control, ports.store);

  const { rawPath, rawQueryString, headers, requestContext, body, isBase64Encoded } =
    urlEventSchema.parse(event);
  const answer = await route(
    {
      method: requestContext.http.method,
      path: `${rawPath}?${rawQueryString}`,
      headers,
      body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
    },
    senderOf(timeLeft),
    ports,
  );
  // A function URL cannot leave a request open for ever. The sender no longer waits for this answer.
  if (answer === undefined) return { statusCode: 504 };
  return { statusCode: answer.status, headers: answer.headers, body: textOf(answer) };
}

function senderOf(timeLeft: TimeLeft): Sender {
  return {
    async stays(ms) {
      const availableMs = timeLeft.getRemainingTimeInMillis() - RESERVE_MS;
      const waitMs = Math.min(ms, availableMs);
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return ms <= availableMs;
    },
  };
}
