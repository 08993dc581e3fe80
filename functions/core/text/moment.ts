import * as z from 'zod';

/** Records store instants with four-digit years, which sort chronologically. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * RFC 3339 with seconds, optional milliseconds and any offset. The year in UTC must have four digits too: an
 * offset may lead out of the year 9999.
 */
export const momentSchema = z.iso.datetime({ offset: true }).refine((at) => {
  const ms = Date.parse(at);
  // An invalid date has already been refused.
  return Number.isNaN(ms) || (ms >= FIRST_MS && ms <= LAST_MS);
}, 'must be within the years 0000 to 9999 in UTC');
