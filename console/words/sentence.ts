import type { Route } from '../app/route.ts';

/** A sentence in pieces: text, an instant, how far away an instant is, or the way to a screen. */
export type Sentence = readonly (
  | string
  | { readonly at: string }
  | { readonly away: string }
  | { readonly to: Route; readonly text: string }
)[];

/** Whether a piece stands apart from the one before it: a full stop or a comma does not. */
export function standsApart(piece: Sentence[number]): boolean {
  return typeof piece !== 'string' || !/^[.:,]/.test(piece);
}
