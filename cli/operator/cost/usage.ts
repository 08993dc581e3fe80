import type { PriceName, Prices } from '../../../lib/prices.ts';

/** How much is used of what has a price, each in the unit of its price. */
export type Usage = Readonly<Partial<Record<PriceName, number>>>;

export function sumOf(usages: readonly Usage[]): Usage {
  const sum: Partial<Record<PriceName, number>> = {};
  for (const [name, amount] of usages.flatMap(amounts)) {
    sum[name] = (sum[name] ?? 0) + amount;
  }
  return sum;
}

export function times(count: number, usage: Usage): Usage {
  return Object.fromEntries(amounts(usage).map(([name, amount]) => [name, count * amount]));
}

/** In US dollars. */
export function priceOf(usage: Usage, prices: Prices): number {
  return amounts(usage).reduce((sum, [name, amount]) => sum + amount * prices[name], 0);
}

export function amounts(usage: Usage): (readonly [PriceName, number])[] {
  return Object.entries(usage) as [PriceName, number][];
}
