import * as z from 'zod';
import { reasonOf } from '../../functions/core/errors/error-reason.ts';

/** How calls to one service behave. */
const behaviourSchema = z.strictObject({
  /** Delay of each call before it is forwarded. */
  delay_ms: z.number().min(0).max(60_000).default(0),
  /** The share of calls that fail, each in a way that is drawn evenly, 0 to 1. */
  failure_rate: z.number().min(0).max(1).default(0),
});

/** By service. Calls to one that is left out, or to any other, are forwarded unchanged. */
export const settingsSchema = z.strictObject({ dynamodb: behaviourSchema, sqs: behaviourSchema }).partial();
export type Settings = z.infer<typeof settingsSchema>;
export type SettingsOptions = z.input<typeof settingsSchema>;
export type Service = keyof Settings;

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
