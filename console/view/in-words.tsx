import { Fragment } from 'preact';
import { type Sentence, standsApart } from '../words/sentence.ts';
import { Away, Moment } from './moment.tsx';

export function InWords({ sentence }: { readonly sentence: Sentence }) {
  return (
    <p class="in-words">
      {sentence.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && standsApart(piece) && ' '}
          {typeof piece === 'string' ? (
            piece
          ) : 'at' in piece ? (
            <Moment at={piece.at} />
          ) : (
            <Away at={piece.away} />
          )}
        </Fragment>
      ))}
    </p>
  );
}
