import { Webhook } from 'standardwebhooks';

const { SECRET } = process.env;
/** Stands for a table of yours with `webhook-id` as its key, which outlives the process. */
const inbox = new Map();

/**
 * Checks a webhook and keeps it, once.
 *
 * @param body the text as it came: JSON that was parsed and written again has another signature
 * @returns the status to answer with
 */
export function receive(body, headers) {
  let event;
  try {
    event = new Webhook(SECRET).verify(body, headers);
  } catch {
    return 401;
  }
  const id = headers['webhook-id'];
  if (!inbox.has(id)) {
    inbox.set(id, event);
    console.log(`kept ${event.event_type} ${event.resource_id}`);
  }
  return 204;
}

export const PORT = Number(process.env.PORT ?? 8080);
export const isListening = (port) => console.log(`listening on port ${port}`);
