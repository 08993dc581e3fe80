import * as z from 'zod';
import { isTimeZone } from '../../../core/analysis/counted-row.ts';
import type { Place } from '../../../core/analysis/walk.ts';
import { serviceIdSchema } from '../../../core/api/api-token.ts';
import { placeIn } from '../../../core/api/cursor.ts';
import { instant } from '../../../core/text/instant.ts';
import { cursorSchema } from '../../cursor-schema.ts';

const DAY_MS = 86_400_000;
/** Longer questions go to the archive. */
const MAX_DAYS = 31;

const momentSchema = z.iso
  .datetime({ offset: true, error: 'must be an instant such as 2026-11-14T00:00:00Z' })
  .transform((at) => instant(Date.parse(at)));

/** What all questions of analysts have in common. */
export const askedShape = {
  since: momentSchema.describe('From when on, in UTC or with an offset.'),
  until: momentSchema.describe(`Until before when: at most ${MAX_DAYS} days after \`since\`.`),
  service_id: serviceIdSchema.optional().describe('Of this service alone.'),
};

/** @returns what is wrong with a period, in words */
export function isPeriod({ since, until }: { readonly since: string; readonly until: string }): boolean {
  const ms = Date.parse(until) - Date.parse(since);
  return ms > 0 && ms <= MAX_DAYS * DAY_MS;
}

export const NO_PERIOD = {
  path: ['until'],
  error: `must be later than since, by at most ${MAX_DAYS} days: longer questions go to the archive`,
};

export const timeZoneSchema = z
  .string()
  .refine((name) => name.length <= 64 && isTimeZone(name), 'must be a time zone such as Europe/London')
  .default('UTC')
  .describe('In which days begin, as IANA names it.');

/** A cursor that leads nowhere that the request does not reach anyway. */
export function placeCursor<Schema extends z.ZodType>(schema: Schema) {
  return cursorSchema((cursor) => schema.safeParse(placeIn(cursor)).data);
}

export const placeSchema = z.strictObject({
  service_id: serviceIdSchema,
  subscription_id: z.string().max(80).optional(),
}) satisfies z.ZodType<Place>;
