/** A rule broken on purpose: in one file a text, which stands there once, is replaced by another. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** It shows where dead letters are put back. @default - in the worlds of seeds */
  readonly world?: 'redriven';
}
