/** A sentence in pieces: text, an instant, or how far away an instant is. */
export type Sentence = readonly (string | { readonly at: string } | { readonly away: string })[];

/** Whether a piece stands apart from the one before it: a full stop does not. */
export function standsApart(piece: Sentence[number]): boolean {
  return typeof piece !== 'string' || !/^[.:]/.test(piece);
}
