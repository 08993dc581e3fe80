import * as z from 'zod';
import { KINDS, type ProblemKind } from '../../core/api/problem.ts';

const types = Object.keys(KINDS).map((kind) => `urn:payhooks:problem:${kind as ProblemKind}` as const);

/** A problem document as partners read it. Source: RFC 9457. */
export const problemSchema = z.object({
  type: z.enum(types).describe('The kind of problem. Stable: programs may rely on it.'),
  title: z.string().describe('The kind of problem, in words.'),
  status: z.int().min(400).max(599).describe('The HTTP status code.'),
  detail: z.string().describe('What is wrong with this request.'),
  errors: z
    .array(z.object({ field: z.string(), reason: z.string() }))
    .optional()
    .describe(
      'Each invalid field (such as `event_types.0`) or query parameter. `body` stands for the whole body.',
    ),
  request_id: z.string().describe('The id of the request. Quote it when you contact support.').optional(),
  recovery_id: z.string().describe('The id of the recovery that is already running.').optional(),
});
