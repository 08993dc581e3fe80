import * as z from 'zod';
import { KINDS, type ProblemKind } from '../../core/api/problem.ts';

const types = Object.keys(KINDS).map((kind) => `urn:payhooks:problem:${kind as ProblemKind}` as const);

/** A problem document as partners read it. Source: RFC 9457. */
export const problemSchema = z.object({
  type: z.enum(types).describe('Stable: programs may rely on it.'),
  title: z.string().describe('What kind of problem it is, for people.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: z.string().describe('What is the matter with this request.'),
  errors: z
    .array(z.object({ field: z.string(), reason: z.string() }))
    .optional()
    .describe(
      'What is wrong with each member, `event_types.0`, or query parameter; `body`: with the whole of it.',
    ),
  request_id: z.string().describe('Quote it when you ask for help.').optional(),
  recovery_id: z.string().describe('Of the recovery that is running already.').optional(),
});
