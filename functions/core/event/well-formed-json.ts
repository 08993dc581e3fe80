/** Escapes in JSON text: a surrogate pair, an unpaired surrogate (the capture group), any other. */
const ESCAPE =
  /\\(?:u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u([Dd][89A-Fa-f][\dA-Fa-f]{2})|.)/g;

/**
 * Makes JSON text well-formed Unicode, before and after parsing: an unpaired surrogate becomes U+FFFD, as in
 * any encoding to UTF-8. Text cut in the middle of an emoji must not cost a payment its event, nor break
 * receivers that cannot hold such a string. Everything else stays as it is.
 */
export function wellFormedJson(text: string): string {
  return /\\u[Dd]/.test(text)
    ? text.replace(ESCAPE, (whole, half) => (half === undefined ? whole : '\uFFFD'))
    : text;
}
