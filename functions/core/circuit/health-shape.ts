import * as z from 'zod/mini';
import { DISABLED_REASONS } from '../attempt/answers.ts';
import type { Circuit } from './circuit.ts';

/**
 * `unproven` until its endpoint has answered a challenge; `paused` by the partner; `disabled` for a reason that the endpoint gave; `deleted` while the rest of it is
 * being cancelled.
 */
export const SUBSCRIPTION_STATES = ['active', 'unproven', 'paused', 'disabled', 'deleted'] as const;

/** What a subscription holds of its endpoint's health, its circuit aside. */
export const endpointHealthShape = {
  state: z.enum(SUBSCRIPTION_STATES),
  disabled_reason: z.optional(z.enum(DISABLED_REASONS)),
  disabled_at: z.optional(z.string()),
  /** The message that its endpoint has yet to answer before it gets events. Absent: none. */
  challenge_id: z.optional(z.string()),
  /** Maximum attempts per second; absent: no limit. */
  rate_limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** The partner fetches messages itself, so there is no endpoint and no circuit. Absent: we send them. */
  delivery: z.optional(z.literal('pull')),
} as const;
const endpointHealthSchema = z.object(endpointHealthShape);

/**
 * What decides whether a subscription may be sent to, as the partner, the endpoint and attempts have made it.
 * Written as one, except for the rate limit.
 */
export type EndpointHealth = z.infer<typeof endpointHealthSchema> & { readonly circuit: Circuit };
