import * as z from 'zod/mini';
import { syntheticReceiver } from './synthetic-receiver.ts';

/** Source: Lambda developer guide, "Request payload format", version 2.0. */
const urlEventSchema = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.optional(z.string()),
  isBase64Encoded: z.boolean(),
});

export const handler = async (event: unknown) => {
  const { headers, body = '', isBase64Encoded } = urlEventSchema.parse(event);
  const { statusCode, receipt } = syntheticReceiver(
    { headers, body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') },
    Date.now(),
  );
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(receipt),
  };
};
