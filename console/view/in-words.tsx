import { Fragment } from 'preact';
import { hrefOf } from '../app/route.ts';
import { type Sentence, standsApart } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { Away, Moment } from './moment.tsx';

export function InWords({ sentence }: { readonly sentence: Sentence }) {
  return (
    <p class="in-words">
      <bdi>
        {sentence.map((piece, index) => (
          <Fragment key={index}>
            {index > 0 && standsApart(piece) && ' '}
            {typeof piece === 'string' ? (
              piece
            ) : 'at' in piece ? (
              <Moment at={piece.at} />
            ) : 'away' in piece ? (
              <Away at={piece.away} />
            ) : (
              <a href={hrefOf(piece.to)}>{visible(piece.text)}</a>
            )}
          </Fragment>
        ))}
      </bdi>
    </p>
  );
}
