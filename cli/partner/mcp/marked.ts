import { cutTo } from '../../terminal/terminal.ts';

/** Members that say what a partner, a publisher or an endpoint wrote. */
const OF_OUTSIDERS = new Set([
  ...['description', 'callback_url', 'notices_url', 'filter', 'fields'],
  ...['resource_id', 'body', 'schema_error', 'response_body', 'failure_reason'],
]);

/** No agent needs them, and they are people's. */
const LEFT_OUT = new Set(['contact']);

/** More of a text costs an agent more than it tells. */
const MAX_CHARACTERS = 4_000;

/**
 * An answer of the API for an agent. What outsiders wrote is `{ "untrusted_text": "…" }`, where JSON keeps it
 * together, with `\u001b` and the like instead of characters that act, and cut to 4,000 characters.
 */
export function marked(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(marked);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, member]) => [
        name,
        OF_OUTSIDERS.has(name) && member !== '' ? untrusted(member) : marked(member),
      ]),
  );
}

function untrusted(member: unknown): { readonly untrusted_text: string } {
  const text = typeof member === 'string' ? member : JSON.stringify(member);
  return { untrusted_text: cutTo(MAX_CHARACTERS, text) };
}
