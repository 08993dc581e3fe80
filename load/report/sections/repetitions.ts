import type { Repetition, RunResult, Spread } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { judge, OUTCOME_SIGNS } from '../judgement.ts';
import { writtenAs } from '../numbers.ts';

/** Repeated runs: the median, range and values of each figure. */
export function repetitionsSection({ repetitions = [], spread = [] }: RunResult): Markup {
  if (repetitions.length === 0) return html``;
  return html`<section><h2>${repetitions.length} repetitions</h2>
<p class="lead">Every number on this page is their median, except promises and attempts, which add up all of them.</p>
<div class="scroll"><table class="numbers"><thead><tr><td></td><th scope="col">median</th><th scope="col">min</th><th scope="col">max</th>${repetitions.map(
    (_, index) => html`<th scope="col">${index + 1}</th>`,
  )}</tr></thead>
<tbody><tr><th scope="row">outcome</th><td colspan="3"></td>${repetitions.map(outcomeCell)}</tr>${spread.map(spreadRow)}</tbody></table></div></section>`;
}

function outcomeCell(one: Repetition): Markup {
  const { outcome } = judge(one);
  return html`<td>${OUTCOME_SIGNS[outcome]} ${outcome}</td>`;
}

function spreadRow({ name, unit, median, least: min, most: max, each }: Spread): Markup {
  const write = writtenAs[unit];
  return html`<tr><th scope="row">${name}</th><td><strong>${write(median)}</strong></td><td>${write(min)}</td><td>${write(max)}</td>${each.map(
    (value) => html`<td>${value === null ? html`<span class="none">none</span>` : write(value)}</td>`,
  )}</tr>`;
}
