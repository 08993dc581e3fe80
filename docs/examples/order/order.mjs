/** Payments have far fewer messages. A repeat of an older one is called stale. */
const REMEMBERED = 100;

/** The state of a payment of which nothing has come yet. */
export const NOTHING = { position: 0, id: null, recent: [] };

/** `state`: what the last check of this payment gave, or NOTHING; `webhook`: the parsed body of a genuine webhook. */
export function check(state, { webhook_message_id: id, sequence, position, previous_message_id: previous }) {
  if (sequence === undefined) return { verdict: 'unnumbered', state };
  if (state.recent.includes(id)) return { verdict: 'repeat', state };
  const recent = [id, ...state.recent].slice(0, REMEMBERED);
  if (position === undefined || position <= state.position) {
    return { verdict: 'stale', state: { ...state, recent } };
  }
  const isNext = position === state.position + 1 && previous === state.id;
  return { verdict: isNext ? 'in_order' : 'gap', state: { position, id, recent } };
}
