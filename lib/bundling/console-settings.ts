import * as z from 'zod/mini';
import { reasonOf } from '../../functions/core/errors/error-reason.ts';
import { isPlainText, NOT_PLAIN_TEXT } from '../../functions/core/text/plain-text.ts';

const MAX_PRODUCT_CHARACTERS = 40;
/** Source: WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;

const colour = z
  .string()
  .check(z.regex(/^#[0-9a-f]{6}$/i, 'must be a colour of six hexadecimal digits, such as #0067b8'));

/** How the console of a stage looks, and where it may be shown. */
export interface ConsoleSettings {
  /** Origins whose pages may show the console in a frame. @default - none: no page may */
  readonly framedBy?: readonly string[];
  /** The name that people see. @default Payhooks */
  readonly product?: string;
  /**
   * Whether a mistake costs real partners: whoever runs the stage sees its name in red on every screen.
   * @default false
   */
  readonly careful?: boolean;
  /**
   * Whether a tab stays signed in through a reload and hands that to new tabs: docs/security.md says what that
   * means. @default true
   */
  readonly staysSignedIn?: boolean;
  /** The colour of the main buttons, and of the text on them, in both themes. @default - the theme's own */
  readonly accent?: { readonly background: string; readonly text: string };
}

const consoleSettingsSchema = z.strictObject({
  framedBy: z._default(
    z.array(
      z
        .string()
        .check(
          z.refine(isHttpsOrigin, 'must be an https origin without a path, such as https://portal.example'),
        ),
    ),
    [],
  ),
  product: z._default(
    z
      .string()
      .check(z.minLength(1), z.maxLength(MAX_PRODUCT_CHARACTERS), z.refine(isPlainText, NOT_PLAIN_TEXT)),
    'Payhooks',
  ),
  careful: z._default(z.boolean(), false),
  staysSignedIn: z._default(z.boolean(), true),
  accent: z.optional(z.strictObject({ background: colour, text: colour })),
});
type Checked = Required<Omit<ConsoleSettings, 'accent'>> & Pick<ConsoleSettings, 'accent'>;

/** @throws with everything that is wrong, by the names in payhooks.config.ts */
export function checkedConsole(settings: ConsoleSettings = {}): Checked {
  const read = consoleSettingsSchema.safeParse(settings, { error: reasonOf });
  if (!read.success) {
    const faults = read.error.issues.map(
      ({ path, message }) => `${['console', ...path].join('.')} ${message}`,
    );
    throw new Error(`The console cannot be built: ${faults.join('; ')}`);
  }
  const { accent } = read.data;
  const contrast = accent === undefined ? LEAST_CONTRAST : contrastOf(accent.background, accent.text);
  if (contrast < LEAST_CONTRAST) {
    throw new Error(
      `The console cannot be built: console.accent: ${accent?.text} on ${accent?.background} has a contrast of ${contrast.toFixed(2)}:1, and people need at least ${LEAST_CONTRAST}:1 to read it`,
    );
  }
  return read.data;
}

/** One host, without a wildcard, in a browser's own spelling: nothing else gets into the header. */
function isHttpsOrigin(text: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) && URL.parse(text)?.origin === text;
}

/** 1 to 21. Source: WCAG 2.2, "contrast ratio" and "relative luminance". */
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
