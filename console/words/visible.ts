/**
 * Characters that act on a reader instead of showing themselves: controls, format characters (direction
 * overrides, zero width), line and paragraph separators, unpaired surrogates. Source: Unicode's general
 * categories. Line ends and tabs stay, and so do the joiners that emoji and some scripts need.
 */
const ACTIVE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Text that an outsider wrote, with `\u202e` in place of a character that would act. JSON keeps its meaning.
 */
export function visible(text: string): string {
  return text.replace(ACTIVE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
