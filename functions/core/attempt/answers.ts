import * as z from 'zod/mini';

/**
 * What an attempt says about its endpoint. `refused`: it is healthy and refuses this message (most 4xx).
 * `overloaded`: it asks for fewer requests (429, or 503 with `Retry-After`). `unwell`: any other failure.
 */
export const ANSWER_KINDS = ['succeeded', 'refused', 'overloaded', 'unwell'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** How many answers of each kind. */
export const answersSchema = z.object({
  succeeded: z.int(),
  refused: z.int(),
  overloaded: z.int(),
  unwell: z.int(),
});
export type Answers = z.infer<typeof answersSchema>;

export const NO_ANSWERS: Answers = { succeeded: 0, refused: 0, overloaded: 0, unwell: 0 };

/**
 * What was counted between two readings; nothing if the earlier one is missing, or counting has started over
 * since.
 */
export function answersBetween(earlier: Answers | undefined, later: Answers | undefined): Answers {
  if (
    earlier === undefined ||
    later === undefined ||
    ANSWER_KINDS.some((kind) => later[kind] < earlier[kind])
  ) {
    return NO_ANSWERS;
  }
  return {
    succeeded: later.succeeded - earlier.succeeded,
    refused: later.refused - earlier.refused,
    overloaded: later.overloaded - earlier.overloaded,
    unwell: later.unwell - earlier.unwell,
  };
}
