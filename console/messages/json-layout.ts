/** Text of JSON in pieces: strings, with their escapes; blanks between; signs; and all else. */
const PIECES = /"(?:[^"\\]|\\.)*"|\s+|[{}[\],:]|[^\s{}[\],:"]+|"/gs;

/**
 * JSON with each member on a line of its own. Only the blanks between differ: numbers and strings stay as
 * they are written. Text that is no JSON comes out as some text, and never throws.
 */
export function laidOut(json: string): string {
  let depth = 0;
  let out = '';
  let last = '';
  const newLine = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  for (const [piece] of json.matchAll(PIECES)) {
    if (/^\s/.test(piece)) continue;
    if (piece === '}' || piece === ']') {
      depth -= 1;
      out += last === '{' || last === '[' ? piece : `${newLine()}${piece}`;
    } else {
      out += last === '{' || last === '[' || last === ',' ? newLine() : '';
      out += piece === ':' ? ': ' : piece;
      if (piece === '{' || piece === '[') depth += 1;
    }
    last = piece;
  }
  return out;
}
