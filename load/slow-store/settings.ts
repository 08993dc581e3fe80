import * as z from 'zod';
import { reasonOf } from '../../functions/core/errors/error-reason.ts';

export const FAILURE_KINDS = ['throttled', 'internal', 'answer_lost'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

const delayMs = z.number().min(0).max(60_000);

/** How calls to one service behave. */
const ruleSchema = z.strictObject({
  service: z.enum(['dynamodb', 'sqs']),
  /** @default - all operations */
  operations: z
    .array(z.string().regex(/^[A-Z][A-Za-z]+$/, 'must be an operation name such as PutItem'))
    .min(1)
    .optional(),
  /** Delay of each call before it is forwarded; a range is drawn from evenly. */
  delay_ms: z
    .union([
      delayMs,
      z.tuple([delayMs, delayMs]).refine(([min, max]) => min <= max, 'the smaller value must come first'),
    ])
    .default(0),
  /** 0 to 1. */
  failure_rate: z.number().min(0).max(1).default(0),
  /**
   * `throttled`, `internal`: the service does nothing. `answer_lost`: the service executes the call, but the
   * caller gets an internal error, as with a real 500 of AWS. `any`: one of them, drawn evenly.
   */
  failure_kind: z.enum([...FAILURE_KINDS, 'any']).default('internal'),
  /** The same seed draws the same delays and failures, in the order of the calls that match this rule. */
  seed: z.int().min(0).default(1),
});

/** The first matching rule decides. A call that matches none is forwarded unchanged. */
export const settingsSchema = z.array(ruleSchema).max(20);
export type Settings = z.infer<typeof settingsSchema>;
export type SettingsOptions = z.input<typeof settingsSchema>;
export type Rule = Settings[number];

/** The settings are invalid: `message` names each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** @throws SettingsError */
export function settingsOf(text: string): Settings {
  const read = settingsSchema.safeParse(json(text), { error: reasonOf });
  if (!read.success) {
    const problems = read.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'settings'}: ${message}`,
    );
    throw new SettingsError(problems.join('\n'));
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
