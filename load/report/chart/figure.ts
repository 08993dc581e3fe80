import { html, type Markup } from '../html.ts';
import type { Series, Size, Tone } from './line-chart.ts';

/**
 * Each chart is drawn in several sizes and the page shows the one that fits, so text has the same size
 * everywhere.
 */
export const WIDE: readonly Size[] = [
  { width: 1080, height: 330 },
  { width: 680, height: 290 },
  { width: 344, height: 260 },
];
export const HALF: readonly Size[] = [
  { width: 516, height: 230 },
  { width: 344, height: 220 },
];

interface FigureText {
  readonly title: string;
  readonly note?: string | undefined;
  readonly legend?: readonly Pick<Series, 'name' | 'tone' | 'look'>[];
}

export function figureOf(text: FigureText, sizes: readonly Size[], draw: (size: Size) => Markup): Markup {
  return html`<figure>
${text.title && html`<figcaption><strong>${text.title}</strong>${text.note && html` <span class="note">${text.note}</span>`}</figcaption>`}
${text.legend && legend(text.legend)}
<div class="plot">${sizes.map((size) => html`<div class="at at-${size.width}">${draw(size)}</div>`)}</div>
</figure>`;
}

/** A single line needs no legend. */
export function legend(series: readonly { name: string; tone: Tone; look: Series['look'] }[]): Markup {
  return html`${
    series.length > 1 &&
    html`<ul class="legend">${series.map(
      ({ name, tone, look }) =>
        html`<li><svg viewBox="0 0 26 12" width="26" height="12" aria-hidden="true">${
          look === 'dots'
            ? html`<circle class="dot tone-${tone}" cx="13" cy="6" r="3"/>`
            : html`<path class="line tone-${tone}" d="M1,6H25"/>`
        }</svg>${name}</li>`,
    )}</ul>`
  }`;
}
