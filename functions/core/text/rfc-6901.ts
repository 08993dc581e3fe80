/** A member's name as a step of a JSON Pointer. Source: RFC 6901, section 3. */
export const stepOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The names on the way that a JSON Pointer says. */
export const namesOn = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
