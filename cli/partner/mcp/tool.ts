import * as z from 'zod';
import type { ApiClient } from '../api-client.ts';
import { ID } from '../partner-command.ts';

/** What a tool tells an agent. */
export interface Told {
  /** In sentences of ours: nothing in them was written by outsiders. */
  readonly sentences: readonly string[];
  /** As the API answered; marked before it leaves. */
  readonly data: object;
}

export interface ToolWorld {
  readonly api: ApiClient;
  now(): number;
}

/** A tool as data: its description is what an agent chooses it by. */
export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** Whether it changes something: offered only with `--allow-write`. */
  readonly writes?: true;
  /** @throws RefusedError, ExplainedError */
  run(given: z.output<z.ZodObject<Shape>>, world: ToolWorld): Promise<Told>;
}

export function tool<Shape extends z.ZodRawShape>(declared: Tool<Shape>): Tool {
  // Safe: the server parses what is given with the same schemas that these types come from.
  return declared as unknown as Tool;
}

export const subscriptionId = ID.check.describe('The id of a subscription, sub_…');
export const messageId = ID.check.describe('The id of a message, msg_…');
export const paymentId = ID.check.describe('The id of a payment, as its publisher gave it');

export const page = {
  limit: z.int().min(1).max(50).default(20).describe('How many messages at most, 1 to 50'),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe('next_cursor of the page before, with the same other arguments'),
};
