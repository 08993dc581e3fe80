/** Text that is already markup. Only `html` and `raw` create it, so outside values are always escaped. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Insertable = Markup | string | number | null | undefined | false | readonly Insertable[];

/** A template that escapes its values, joins lists, and renders nothing for null, undefined and false. */
export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(strings.map((text, index) => `${text}${inserted(values[index])}`).join(''));
}

/** Trusted markup: our own style sheet, and charts, whose texts Vega escapes. */
export function raw(text: string): Markup {
  return new Markup(printable(text));
}

/** Escapes a text and turns URLs in it into links. */
export function linked(text: string): Markup {
  const parts = text.split(/(https?:\/\/[^\s<>"'()]+)/);
  return html`${parts.map((part, index) => (index % 2 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : part))}`;
}

function inserted(value: Insertable): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(inserted).join('');
  return value instanceof Markup ? value.toString() : escaped(String(value));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function printable(text: string): string {
  return text.toWellFormed().replace(CONTROL_CHARACTERS, '\uFFFD');
}

/** HTML and XML allow no control characters except tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
