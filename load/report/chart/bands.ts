import { html, type Markup } from '../html.ts';
import { px } from './scales.ts';

/** A marked part of the x axis: tinted when something was wrong, and always with its edges and name. */
export interface Band {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly isTinted: boolean;
}

/** In pixels. */
interface Placed extends Band {
  /** Row of the name above the chart, from the top. */
  readonly row: number;
  readonly text: string;
  readonly textAt: number;
}

/** Height of a row of names above the chart, in pixels. */
export const BAND_ROW = 16;
/** Average width of a character in a name, rounded up. */
const CHARACTER_WIDTH = 6.3;
const GAP = 4;

/** Places the names in as few rows as possible without overlap. @param edges of the chart, in pixels */
export function placed(
  bands: readonly Band[],
  at: (value: number) => number,
  { left, right }: { readonly left: number; readonly right: number },
): Placed[] {
  const endOfRow: number[] = [];
  const inside = (value: number) => Math.min(Math.max(at(value), left), right);
  const maxCharacters = Math.floor((right - left - GAP) / CHARACTER_WIDTH);
  return [...bands]
    .sort((a, b) => a.from - b.from)
    .map((band) => {
      const { label } = band;
      const text =
        label.length <= maxCharacters ? label : `${label.slice(0, Math.max(0, maxCharacters - 1))}…`;
      const width = text.length * CHARACTER_WIDTH;
      const from = inside(band.from);
      const textAt = Math.min(from + GAP, right - width);
      const free = endOfRow.findIndex((end) => end + 2 * GAP <= textAt);
      const row = free === -1 ? endOfRow.length : free;
      endOfRow[row] = textAt + width;
      return { ...band, from, to: inside(band.to), row, text, textAt };
    });
}

export function rowsOf(bands: readonly Placed[]): number {
  return Math.max(0, ...bands.map(({ row }) => row + 1));
}

/** Drawn behind the lines. @param top and bottom of the chart, in pixels; the names are above it */
export function drawnBands(bands: readonly Placed[], top: number, bottom: number): Markup {
  const rows = rowsOf(bands);
  const baseline = (row: number) => top - GAP - 2 - (rows - 1 - row) * BAND_ROW;
  return html`${bands.map(
    ({ from, to, row, isTinted }) =>
      html`<g class="band">${isTinted && html`<rect x="${px(from)}" y="${top}" width="${px(to - from)}" height="${bottom - top}"/>`}<path d="M${px(from)},${baseline(row) - 10}V${bottom}M${px(to)},${top}V${bottom}"/></g>`,
  )}${bands.map(({ row, text, textAt }) => html`<text class="band-name" x="${px(textAt)}" y="${baseline(row)}">${text}</text>`)}`;
}
