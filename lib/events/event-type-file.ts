import * as z from 'zod';
import { type EventType, NOT_A_TYPE_NAME, TYPE_NAME } from '../../functions/core/catalogue/event-type.ts';
import { isPing } from '../../functions/core/catalogue/ping-names.ts';
import { reasonOf } from '../../functions/core/errors/error-reason.ts';
import { paymentEventSchema } from '../../functions/core/event/event.ts';
import { isPlainText, NOT_PLAIN_TEXT } from '../../functions/core/text/plain-text.ts';

/** What somebody wrote, and where. */
export interface GivenType {
  /** For people, such as the path of its file. */
  readonly source: string;
  readonly value: unknown;
}

export interface KnownType {
  readonly source: string;
  readonly type: EventType;
}

/** A test ping carries it in a message. In bytes of JSON in UTF-8. */
const LARGEST_SAMPLE_BYTES = 16 * 1024;
const LARGEST_SCHEMA_BYTES = 64 * 1024;

const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => isPlainText(text), NOT_PLAIN_TEXT);

const name = z
  .string()
  .regex(TYPE_NAME, NOT_A_TYPE_NAME)
  .refine(
    (text) => !isPing({ event_type: text }),
    'must be neither ping nor begin with sample.: test pings have these names',
  );

const object = (most: number) =>
  z
    .record(z.string(), z.unknown(), 'must be an object')
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= most,
      `must have at most ${most} bytes as JSON`,
    );

const fileSchema = z.strictObject({
  name,
  description: line(500),
  group: line(64).optional(),
  aliases: z.array(name).max(100).optional(),
  resource_type: paymentEventSchema.shape.resource_type.optional(),
  schema: object(LARGEST_SCHEMA_BYTES).optional(),
  sample: object(LARGEST_SAMPLE_BYTES).optional(),
  deprecated: z
    .union([z.literal(true).transform(() => ({})), z.strictObject({ successor: name.optional() })], {
      error: 'must be true, or an object with a successor',
    })
    .optional(),
});

/** A type on its own: how it fits the others, and its schema, is checked elsewhere. */
export function readEventType({ source, value }: GivenType): {
  readonly source: string;
  readonly type?: EventType;
  readonly faults: readonly string[];
} {
  const read = fileSchema.safeParse(value, { error: reasonOf });
  return read.success
    ? { source, type: JSON.parse(JSON.stringify(read.data)), faults: [] }
    : {
        source,
        faults: read.error.issues.map((issue) => {
          const member = issue.path.join('.') || 'the file';
          return `${source}: ${member} ${issue.message}${given(value, issue.path)}`;
        }),
      };
}

/** Quotes short texts: whoever wrote the file may read them. */
function given(value: unknown, at: readonly PropertyKey[]): string {
  const found = at.reduce<unknown>(
    (of, key) => (of as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return typeof found === 'string' && found.length <= 100 ? ` (given: ${JSON.stringify(found)})` : '';
}
