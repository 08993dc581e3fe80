import * as z from 'zod';
import { routeSchema } from '../../../core/subscription/subscription.ts';

/** All routes of a service in one item, read in one call; `version` counts its changes. */
export const routingItemSchema = z.object({ version: z.int(), routes: z.array(routeSchema) });
