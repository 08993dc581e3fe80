import { Fragment } from 'preact';
import { Away, Moment } from '../view/moment.tsx';
import type { Sentence } from './health.ts';

export function HealthSentence({ sentence }: { readonly sentence: Sentence }) {
  return (
    <p class="health">
      {sentence.map((piece, index) => (
        <Fragment key={index}>
          {/* A full stop stands close to what it ends. */}
          {index > 0 && !(typeof piece === 'string' && /^[.:]/.test(piece)) && ' '}
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
