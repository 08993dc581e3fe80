/** Longer than a callback URL or the trace of an error; what is longer is nothing that anybody would read in a line. */
const MAX_CHARACTERS = 4_096;

/** What means something to a terminal or turns the text beside it, and halves of surrogate pairs. Line breaks JSON escapes itself. */
const UNFIT =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/gu;

/** A text as it may stand in a log line, whoever wrote it: bounded, and with nothing in it that acts on whoever looks at it. */
export function loggable(text: string): string {
  const bounded =
    text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}... (${text.length} characters)` : text;
  return bounded.replace(UNFIT, (unfit) => `\\u${unfit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
