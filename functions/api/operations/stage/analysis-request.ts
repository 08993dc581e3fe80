import * as z from 'zod';
import { isTimeZone } from '../../../core/analysis/counted-row.ts';
import type { Place } from '../../../core/analysis/walk.ts';
import { serviceIdSchema } from '../../../core/api/api-token.ts';
import { placeIn } from '../../../core/api/cursor.ts';
import { instantSchema } from '../../../core/text/moment.ts';
import { cursorSchema } from '../../cursor-schema.ts';

const DAY_MS = 86_400_000;
/** Longer questions go to the archive. */
const MAX_DAYS = 31;

/** What all questions of analysts have in common. */
export const askedShape = {
  since: instantSchema.describe('From when on, in UTC or with an offset.'),
  until: instantSchema.describe(`Until before when: at most ${MAX_DAYS} days after \`since\`.`),
  service_id: serviceIdSchema.optional().describe('Of this service alone.'),
};

interface Asked {
  readonly since: string;
  readonly until: string;
  readonly service_id?: string | undefined;
  readonly cursor?: Place | undefined;
}

/** Of which period a question may be, and that each page continues with the service that was asked about. */
export function asked<Schema extends z.ZodType<Asked>>(schema: Schema): Schema {
  return schema
    .refine(isPeriod, {
      path: ['until'],
      error: `must be later than since, by at most ${MAX_DAYS} days: longer questions go to the archive`,
    })
    .refine(({ service_id, cursor }) => !service_id || !cursor || cursor.service_id === service_id, {
      path: ['cursor'],
      error: 'is of another service: send the same service_id with each page',
    });
}

function isPeriod({ since, until }: Asked): boolean {
  const ms = Date.parse(until) - Date.parse(since);
  return ms > 0 && ms <= MAX_DAYS * DAY_MS;
}

export const timeZoneSchema = z
  .string()
  .refine((name) => name.length <= 64 && isTimeZone(name), 'must be a time zone such as Europe/London')
  .default('UTC')
  .describe('In which days begin, as IANA names it.');

/** A cursor may be made up: of which service it may be, `asked` says. */
export function placeCursor<Schema extends z.ZodType>(schema: Schema) {
  return cursorSchema((cursor) => schema.safeParse(placeIn(cursor)).data);
}

export const placeSchema = z.strictObject({
  service_id: serviceIdSchema,
  subscription_id: z
    .string()
    .regex(/^sub_[\w-]{1,64}$/)
    .optional(),
}) satisfies z.ZodType<Place>;
