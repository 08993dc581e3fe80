import type { Tone } from '../words/tone.ts';

/** Each tone has a shape of its own, for people who cannot tell the colours apart. */
const SHAPES: Readonly<Record<Tone, string>> = { good: '●', waits: '◐', bad: '▲', off: '■' };

export function Badge({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  return (
    <span class={`badge tone-${tone}`}>
      <span aria-hidden="true">{SHAPES[tone]}</span> {word}
    </span>
  );
}
