import * as z from 'zod';
import { reasonOf } from '../../functions/core/errors/error-reason.ts';

export const FAILURE_KINDS = ['throttled', 'internal', 'answer_lost'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

const delayMs = z.number().min(0).max(60_000);

/** What happens to calls of a service. */
const ruleSchema = z.strictObject({
  service: z.enum(['dynamodb', 'sqs']),
  /** @default - all of them */
  operations: z
    .array(z.string().regex(/^[A-Z][A-Za-z]+$/, 'must be a name as PutItem'))
    .min(1)
    .optional(),
  /** Each call waits so long before it goes on, drawn evenly where there are two. */
  delay_ms: z
    .union([
      delayMs,
      z.tuple([delayMs, delayMs]).refine(([least, max]) => least <= max, 'the lesser must come first'),
    ])
    .default(0),
  /** 0 to 1. */
  failure_rate: z.number().min(0).max(1).default(0),
  /**
   * `throttled`, `internal`: the service has done nothing. `answer_lost`: it has done what it was asked, and the caller is told of an internal error,
   * as AWS's 500 leaves open. `any`: one of them by lot.
   */
  failure_kind: z.enum([...FAILURE_KINDS, 'any']).default('internal'),
  /** The same one draws the same delays and failures, in the order of the calls of this rule. */
  seed: z.int().min(0).default(1),
});

/** The first that fits a call decides; a call that none fits goes on as it is. */
export const settingsSchema = z.array(ruleSchema).max(20);
export type Settings = z.infer<typeof settingsSchema>;
export type SettingsOptions = z.input<typeof settingsSchema>;
export type Rule = Settings[number];

/** Settings cannot be used: `message` names what is at fault. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** @throws SettingsError */
export function settingsOf(text: string): Settings {
  const read = settingsSchema.safeParse(json(text), { error: reasonOf });
  if (!read.success) {
    const faults = read.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'settings'}: ${message}`,
    );
    throw new SettingsError(faults.join('\n'));
  }
  return read.data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`settings: must be JSON: ${(error as Error).message}`);
  }
}
