import { type Sentence, standsApart } from '../../../console/words/numbers.ts';

/** A sentence as it is read out, with its times in the words of the test. */
export function spoken(
  sentence: Sentence,
  words: { at: (iso: string) => string; away: (iso: string) => string },
): string {
  return sentence
    .map((piece, index) => {
      const text =
        typeof piece === 'string'
          ? piece
          : 'at' in piece
            ? words.at(piece.at)
            : 'away' in piece
              ? words.away(piece.away)
              : piece.text;
      return index > 0 && standsApart(piece) ? ` ${text}` : text;
    })
    .join('');
}
