import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { html, type Markup, raw } from './html.ts';

/** Colours of the page, light or dark: Vega only passes them on. */
const [INK, SOFT, RULE] = ['var(--ink)', 'var(--soft)', 'var(--rule)'];
export const TONES = [1, 2, 3, 4, 5, 6].map((tone) => `var(--tone-${tone})`);

const CONFIG = {
  background: 'transparent',
  font: 'system-ui, sans-serif',
  view: { stroke: null },
  axis: {
    domain: false,
    gridColor: RULE,
    labelColor: SOFT,
    labelFontSize: 12,
    tickColor: RULE,
    titleColor: SOFT,
    titleFontSize: 12,
    titleFontWeight: 'normal',
  },
  header: { labelColor: INK, labelFontSize: 13, title: null },
  legend: { labelColor: SOFT, labelFontSize: 13, orient: 'top', symbolStrokeWidth: 2, title: null },
  line: { strokeWidth: 1.5 },
  text: { fill: INK, fontSize: 12 },
} as const;

export interface Figure {
  readonly title: string;
  readonly note?: string | undefined;
  /** Text for screen readers. */
  readonly description: string;
}

/** Draws a chart of Vega-Lite while the page is made, so that the page needs no script. */
export async function figure({ title, note, description }: Figure, spec: object): Promise<Markup> {
  const { spec: compiled } = compile({ ...spec, config: CONFIG } as unknown as TopLevelSpec);
  const svg = await new View(parse(compiled), { renderer: 'none' }).toSVG();
  return html`<figure><figcaption><strong>${title}</strong>${note && html` <span class="note">${note}</span>`}</figcaption>
<div class="scroll" role="img" aria-label="${description}">${raw(svg)}</div></figure>`;
}
