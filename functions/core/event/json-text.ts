/** The depth that most parsers accept: Ruby's takes 100 levels, others 500 and more. */
const MAX_LEVELS = 100;

/**
 * JSON that parsers read differently, or that some cannot read. The message ends a sentence that begins with
 * what was read, and quotes nothing from it.
 */
export class UnclearJsonError extends Error {
  override readonly name = 'UnclearJsonError';
}

export interface JsonText {
  /** The parsed value: numbers are doubles. */
  readonly value: unknown;
  /**
   * The source text of a top-level member, without blanks between tokens: all digits of its numbers, its
   * members in their order. Undefined when there is no such member.
   */
  textOf(name: string): string | undefined;
}

/**
 * Parses JSON and keeps its source text, so that numbers that a double cannot hold stay exact. Rejects
 * duplicate member names, which parsers resolve differently: some take the first, most the last. RFC 8259,
 * section 4.
 *
 * @throws SyntaxError when it is not JSON
 * @throws UnclearJsonError when an object has a member twice, or nesting exceeds 100 levels
 */
export function readJson(text: string): JsonText {
  const value: unknown = JSON.parse(text);
  const { spans, hasBlanks } = scan(text);
  return {
    value,
    textOf(name) {
      const span = spans.get(name);
      if (span === undefined) {
        return undefined;
      }
      const found = text.slice(...span);
      return hasBlanks ? withoutBlanks(found) : found;
    },
  };
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = 0x20;

/** Scans valid JSON for where each top-level member begins and ends, and for blanks between tokens. */
function scan(text: string) {
  const spans = new Map<string, [start: number, end: number]>();
  /** The member names of each open object; undefined for each open list. */
  const open: (Set<string> | undefined)[] = [];
  let hasBlanks = false;
  let member: [start: number, end: number] | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const start = index;
      index = endOfString(text, start);
      let next = index + 1;
      while (text.charCodeAt(next) <= BLANK) {
        next += 1;
      }
      if (text.charCodeAt(next) === COLON) {
        hasBlanks ||= next > index + 1;
        const name = nameAt(text, start, index);
        const names = open.at(-1)!;
        if (names.size === names.add(name).size) {
          throw new UnclearJsonError(`gives a member twice in one object: see character ${start + 1}`);
        }
        index = next;
        if (open.length === 1) {
          member = [next + 1, next + 1];
          spans.set(name, member);
        }
      }
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      open.push(code === OPENING_BRACE ? new Set() : undefined);
      if (open.length > MAX_LEVELS) {
        throw new UnclearJsonError(`is nested more than ${MAX_LEVELS} levels deep`);
      }
    } else if (code === COMMA || code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      if (open.length === 1 && member !== undefined) {
        member[1] = index;
      }
      if (code !== COMMA) {
        open.pop();
      }
    } else if (code <= BLANK) {
      hasBlanks = true;
    }
  }
  return { spans, hasBlanks };
}

/** The index of the quotation mark that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) {
      before -= 1;
    }
    // After an even number of backslashes, the quotation mark is not escaped.
    if ((end - before) % 2 === 1) {
      return end;
    }
  }
}

/** As it will be once unpaired surrogates are replaced, when two names may become one. */
function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  return name.includes('\\') ? JSON.parse(`"${name}"`).toWellFormed() : name;
}

function withoutBlanks(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code <= BLANK) {
      kept.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return kept.join('') + text.slice(from);
}

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
