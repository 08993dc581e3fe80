import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { isListening, PORT, receive } from './inbox.mjs';

const app = new Hono();
app.post('/', async (context) => {
  const body = await context.req.text();
  return context.body(null, receive(body, context.req.header()));
});
serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' }, ({ port }) => isListening(port));
