/** A number as JSON or a filter writes it: a double where that says all of it, its text otherwise. */
export type Decimal = number | DigitsOnly;

/** The text of a JSON number that no double holds exactly. */
export class DigitsOnly {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Its digits, and no text. Source: ECMAScript proposal "JSON.parse source text access". */
  toJSON(): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(this.text);
  }
}

/** A double holds any number of this many digits, and prints it again. */
const EXACT_DIGITS = 15;

/** What may be a number of more digits, in JSON text, or one beyond what a double reaches. */
const MANY_DIGITS = /[\d.]{16}|\d[Ee][+-]?\d{3}/;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[Ee]([+-]?\d+))?$/;

/** Whether the text is a number as JSON writes it, which may have at most this many characters. */
export function isNumberText(text: string): boolean {
  return text.length <= 64 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
}

export function isExact(value: number): boolean {
  return partsOf(String(value)).digits.length <= EXACT_DIGITS;
}

/** Parses JSON, with the text of each number that no double holds: `JSON.stringify` writes it again. */
export function parseExactly(text: string): unknown {
  return MANY_DIGITS.test(text)
    ? JSON.parse(text, ((_: string, value: unknown, { source }: { readonly source?: string } = {}) =>
        typeof value === 'number' && source !== undefined && MANY_DIGITS.test(source)
          ? exactly(source, value)
          : value) as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);
}

function exactly(source: string, value: number): Decimal {
  const digits = new DigitsOnly(source);
  return compareDecimals(digits, value) === 0 ? value : digits;
}

/** Less than 0 if `a` is smaller, 0 if they are equal, more than 0 if it is greater: to the last digit. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (typeof a === 'number' && typeof b === 'number') {
    return a - b;
  }
  const [left, right] = [partsOf(textOf(a)), partsOf(textOf(b))];
  if (left.sign !== right.sign) {
    return left.sign - right.sign;
  }
  const byMagnitude = left.magnitude - right.magnitude;
  return (
    left.sign *
    (byMagnitude !== 0 ? byMagnitude : left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0)
  );
}

function textOf(of: Decimal): string {
  return typeof of === 'number' ? String(of) : of.text;
}

/** `digits` without zeros on either side: 0.digits times ten to the power of `magnitude`. */
function partsOf(text: string) {
  const [, minus = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const all = whole + fraction;
  const [zeros = ''] = /^0*/.exec(all) ?? [];
  let end = all.length;
  while (end > zeros.length && all[end - 1] === '0') {
    end -= 1;
  }
  const digits = all.slice(zeros.length, end);
  return digits === ''
    ? { sign: 0, digits, magnitude: 0 }
    : { sign: minus === '' ? 1 : -1, digits, magnitude: whole.length - zeros.length + Number(exponent) };
}
