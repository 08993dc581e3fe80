// Calls the route handler as Next.js does.
import { serve } from '@hono/node-server';
import { isListening, PORT } from './inbox.mjs';
import { POST } from './next-route.mjs';

serve({ fetch: POST, port: PORT, hostname: '127.0.0.1' }, ({ port }) => isListening(port));
