import { receive } from '../../../inbox.mjs';

/** A route handler of Next.js, at /webhooks. */
export async function POST(request) {
  const body = await request.text();
  return new Response(null, { status: receive(body, Object.fromEntries(request.headers)) });
}
