/** A signing secret for the person who has just asked for it; an answer to a repeated request is without. */
export function secretText(what: string, secret: string | undefined): string {
  return secret === undefined
    ? `The ${what} was shown by an earlier answer to this request, and is kept nowhere. Was it lost: rotate.`
    : `${secret}\n\nThis is the ${what}. It is shown this once.`;
}
