/** Longer than a callback URL or a stack trace; nobody reads more than this in a log line. */
const MAX_CHARACTERS = 4_096;

/**
 * Characters that act on a terminal or change the direction of text, and unpaired surrogates. JSON escapes
 * line breaks itself.
 */
const UNFIT =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/gu;

/** Makes any text safe to log: bounded, and without characters that act on a terminal or a page. */
export function loggable(text: string): string {
  const bounded =
    text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}... (${text.length} characters)` : text;
  return bounded.replace(UNFIT, (unfit) => `\\u${unfit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
