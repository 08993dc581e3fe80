import * as z from 'zod';
import { stuckPaymentsSchema } from '../../../core/stuck/stuck-payments.ts';
import { routeSchema } from '../../../core/subscription/subscription.ts';

/**
 * All routes of a service in one item, read in one call; `version` counts their changes. Match alone writes
 * which payments of it are stuck.
 */
export const routingItemSchema = z.object({
  version: z.int(),
  routes: z.array(routeSchema),
  stuck_payments: z.optional(stuckPaymentsSchema),
});
