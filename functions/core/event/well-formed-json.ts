/** Escapes of JSON text: a surrogate pair, half of one (the group), any other. */
const ESCAPE =
  /\\(?:u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|u([Dd][89A-Fa-f][\dA-Fa-f]{2})|.)/g;

/**
 * Makes JSON text well-formed Unicode, also once it has been parsed. Half of a surrogate pair becomes U+FFFD, as whenever a text is encoded as
 * UTF-8: a text that was cut in the middle of an emoji must cost nobody the event of a payment, and receivers that cannot hold such a string would fail with it.
 * Everything else stays as it is.
 */
export function wellFormedJson(text: string): string {
  return /\\u[Dd]/.test(text)
    ? text.replace(ESCAPE, (whole, half) => (half === undefined ? whole : '\uFFFD'))
    : text;
}
