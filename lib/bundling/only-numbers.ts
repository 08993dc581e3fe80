/**
 * Replaces `d3-interpolate` and `d3-format` in pages. There, scales map numbers to pixels, and words/ writes
 * the numbers; d3-scale would bring colours, dates, strings and formats: a sixth of the console.
 */
export function interpolateNumber(from: number, to: number): (at: number) => number {
  return (at) => from * (1 - at) + to * at;
}
export { interpolateNumber as interpolate };

function leftOut(): never {
  throw new Error('This part of d3 is left out of pages: see lib/bundling/only-numbers.ts.');
}

export {
  leftOut as format,
  leftOut as formatPrefix,
  leftOut as formatSpecifier,
  leftOut as interpolateRound,
  leftOut as piecewise,
  leftOut as precisionFixed,
  leftOut as precisionPrefix,
  leftOut as precisionRound,
};
