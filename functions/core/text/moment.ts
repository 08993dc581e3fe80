import * as z from 'zod';
import { instant } from './instant.ts';

/** Year 0, and what an offset leads out of the year 9999. */
const OUTSIDE = /^0000|^9999-12-31T[0-9:.]*-/;

/**
 * RFC 3339 with seconds, optional fractions of them, and any offset. Records store instants in UTC with
 * four-digit years, which sort chronologically.
 */
export const momentSchema = z.iso
  .datetime({ offset: true })
  .refine((at) => !OUTSIDE.test(at), 'must be within the years 0001 to 9999, in UTC as well')
  .meta({ not: { pattern: OUTSIDE.source } });

/** The same, read to the millisecond, in UTC. */
export const instantSchema = momentSchema.transform((at) => instant(Date.parse(at)));
