import { textTable } from '../../terminal/terminal.ts';
import type { Estimate, Part, Share } from './estimate.ts';
import { eventsPerSecond } from './usage.ts';
import type { Way } from './ways.ts';

export function costReport(estimate: Estimate & { readonly ways: readonly Way[] }): string {
  const { stage, region, pricesAsOf, traffic, byService, total, perMillion, batches } = estimate;
  const row = (name: string, { idle, traffic }: Share) => [
    name,
    ...[idle, traffic, idle + traffic].map(money),
  ];
  const rows = [
    ['US dollars a month', 'idle', 'traffic', 'together'],
    ...Object.entries(byService)
      .filter(([, { idle, traffic }]) => idle + traffic > 0)
      .map(([service, share]) => row(service, share)),
    row('all of it', total),
  ];
  return [
    `Payhooks, stage ${stage}, ${region}, list prices of ${pricesAsOf}`,
    saidOf(estimate),
    '',
    ...numbersToTheRight(rows),
    '',
    ...(perMillion === undefined
      ? []
      : [
          `A million webhooks: $${money(perMillion.traffic)}, with what the stage costs anyway $${money(perMillion.idle + perMillion.traffic)}`,
          `Events in a batch of match: ${batches.match.toFixed(1)}, webhooks in a batch of deliver: ${batches.deliver.toFixed(1)}, by simulation`,
        ]),
    `Idle: ${partsOf(estimate.idle)}`,
    ...(traffic.eventsPerDay === 0 ? [] : [`Traffic: ${partsOf(estimate.delivering)}`]),
    ...wayLines(estimate.ways),
    ...peerLines(estimate),
    ...(estimate.unchecked.length === 0
      ? []
      : ['', `Not checked against a price list of ${region}: ${estimate.unchecked.join(', ')}`]),
    '',
  ].join('\n');
}

function saidOf({ traffic, webhooksPerMonth }: Estimate): string {
  if (webhooksPerMonth === 0) {
    return 'Nobody publishes anything';
  }
  const { eventsPerDay, subscriptions, bodyBytes, partnerMs, failedShare } = traffic;
  return [
    `${eventsPerDay.toLocaleString('en')} events a day (${Number(eventsPerSecond(traffic).toPrecision(2))} a second)`,
    `${subscriptions} webhook${subscriptions === 1 ? '' : 's'} each: ${(webhooksPerMonth / 1e6).toFixed(2)} million a month`,
    `${bodyBytes} bytes`,
    `partners answer in ${partnerMs} ms`,
    `${Number((100 * failedShare).toPrecision(3))} % fail once`,
  ].join(', ');
}

function partsOf(parts: readonly Part[]): string {
  return parts
    .filter(({ perMonth }) => perMonth >= 0.005)
    .toSorted((a, b) => b.perMonth - a.perMonth)
    .map(({ name, perMonth }) => `${name} $${money(perMonth)}`)
    .join(', ');
}

/** Provisioned pollers are untried: see docs/cost.md. */
function wayLines(ways: readonly Way[]): string[] {
  if (ways.length === 0) return [];
  const rows = [
    ['A million webhooks, events sent', 'to the bus', 'into the queue', 'in a batch: match, deliver'],
    ...ways.map(({ name, byBus, byQueue, batches }) => [
      name,
      `$${money(byBus)}`,
      `$${money(byQueue)}`,
      `${batches.match.toFixed(1)}, ${batches.deliver.toFixed(1)}`,
    ]),
  ];
  return ['', ...numbersToTheRight(rows)];
}

function peerLines({ peers, total }: Estimate): string[] {
  if (peers.length === 0) return [];
  const rows = [
    ['Payhooks', `$${money(total.idle + total.traffic)}`, ''],
    ...peers.map(({ name, perMonth, source }) => [name, `$${money(perMonth)}`, source]),
  ];
  return ['', 'The same webhooks from others, list price a month:', ...textTable(rows)];
}

function numbersToTheRight(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]! + 2))).join('')}`,
  );
}

/** 1,234.50 */
export function money(dollars: number): string {
  return dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
