import { overTime, type Series, WIDE } from '../report/charts.ts';
import { html, type Markup } from '../report/html.ts';
import { page } from '../report/page.ts';
import { sum } from '../statistics/sum.ts';
import type { Sample } from './memory.ts';
import type { SoakResult } from './soak.ts';

/** Less while one has just taken the place of a killed one. */
function meanMb(processes: Sample['processes'], kind: string): number | null {
  const own = processes.filter((one) => one.kind === kind);
  return own.length === 0 ? null : sum(own.map(({ mb }) => mb)) / own.length;
}

/** The report of a soak. */
export async function soakPage(result: SoakResult): Promise<string> {
  const { seed, outcome, reasons, counts, trends, samples, machine, started_at } = result;
  const seconds = (samples.at(-1)?.atMs ?? 0) / 1_000;
  const kinds = trends.map(({ kind }) => kind).filter((kind) => kind !== 'emulator');
  const memory = kinds.map((kind) => ({
    name: kind,
    points: samples.map(({ atMs, processes }) => ({ x: atMs / 1_000, y: meanMb(processes, kind) })),
  }));
  const waiting = {
    name: 'not accepted',
    points: samples.map((one) => ({ x: one.atMs / 1_000, y: one.waiting })),
  };
  return page(
    `Soak ${seed}: ${outcome}`,
    html`<h1>Soak ${seed}: ${outcome}</h1>
<p>${started_at}, ${Math.round(seconds)} s, ${result.rate} events a second, ${result.killed} workers killed, ${result.guests} subscriptions that came and went${result.is_interrupted && ', interrupted'}. ${machine}.</p>
${reasons.length > 0 && html`<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
<table><tbody>${Object.entries(counts).map(([name, count]) => html`<tr><th>${name.replaceAll('_', ' ')}</th><td>${count}</td></tr>`)}</tbody></table>
${await chart('Memory of a worker of each function', 'MB', memory)}
${await chart('Messages not accepted: they wait, or were given up', 'messages', [waiting])}
<table><thead><tr><th>process</th><th>lived, hours</th><th>MB per hour</th><th>grown, MB</th><th>allowed, MB</th></tr></thead><tbody>${trends.map(
      (one) =>
        html`<tr><th>${one.kind}</th><td>${one.lived_hours}</td><td>${one.mb_per_hour}</td><td>${one.grown_mb}</td><td>${one.allowed_mb}</td></tr>`,
    )}</tbody></table>`,
  );
}

async function chart(title: string, yTitle: string, series: readonly Series[]): Promise<Markup | false> {
  if (series.every(({ points }) => points.length === 0)) return false;
  return overTime(
    { title, description: `${title} over the run` },
    { series, unit: 'count', yTitle, size: WIDE },
  );
}
