import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { frameworkTable } from './framework-table.ts';

/** A table on a page, made of code: all of its lines, or rows that stand in a table written by hand. */
export interface GeneratedTable {
  readonly page: string;
  readonly lines: readonly string[];
}

export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows.map((cells) => row(...cells)),
];

/**
 * The page with these lines in the place of the old ones: a whole table is found by its first line, a row by
 * its first cell.
 *
 * @throws when the page has neither
 */
export function withLines(text: string, { page, lines }: GeneratedTable): string {
  const [head = '', second] = lines;
  const isWhole = second !== undefined && /^[| -]+$/.test(second);
  const begins = isWhole ? `${head}\n` : head.slice(0, head.indexOf(' |') + 2);
  const from = `\n${text}`.indexOf(`\n${begins}`);
  if (from < 0) {
    throw new Error(`${page} has nothing that begins with ${begins}`);
  }
  const rest = text.slice(from);
  const old = isWhole ? rest.match(/^(\|.*\n)+/)! : rest.match(/^.*\n/)!;
  return `${text.slice(0, from)}${lines.join('\n')}\n${rest.slice(old[0].length)}`;
}

const { local, dev, prod } = STAGES;

type Circuit = DeliveryPolicy['circuit'];
type Numbers = {
  readonly [Name in keyof (DeliveryPolicy & Circuit)]?: (DeliveryPolicy & Circuit)[Name] extends number
    ? string
    : never;
};

/** The numbers of the policy that operators notice and no other page has, and what each is. */
const NOTICED: Numbers = {
  sequenceGapMs: 'the wait for a missing [number](publishing.md#numbers)',
  failedOrderingKeys: 'payments that fail in a row open the circuit',
  slowOfAll: 'half of the workers of `deliver`',
  firstCoolDownMs: 'the wait for the first probe',
  longestCoolDownMs: 'the longest wait for a probe',
  longestOverloadMs: 'the longest that a message waits which was refused as overload',
  firstWindow: 'payments under way when a drain begins; the probes of a round',
  widestWindow: 'payments under way at most',
  widestWindowOfAll: 'of all circuits together: four for each worker of `deliver`',
};

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

function said(name: string, value: number): string {
  if (!name.endsWith('Ms')) {
    return value.toLocaleString('en');
  }
  const [unit, ms] = UNITS.find(([, ms]) => value % ms === 0 && value >= ms) ?? UNITS[2];
  return `${value / ms} ${unit}`;
}

function policyRows(): string[][] {
  const [ofProd, ofDev, ofLocal] = [DELIVERY_POLICY, dev.deliveryPolicy, local.deliveryPolicy].map(
    (policy): Record<string, unknown> => ({ ...policy, ...policy.circuit }),
  );
  return Object.entries(NOTICED).map(([name, meaning]) => {
    const [value, ...others] = [ofProd, ofDev, ofLocal].map((policy) => said(name, policy![name] as number));
    const differing = ['dev', 'local'].flatMap((stage, index) =>
      others[index] === value ? [] : [`\`${stage}\`: ${others[index]}`],
    );
    return [`\`${name}\``, [value, ...differing].join('; '), meaning];
  });
}

const workers = (name: string, of: (workers: (typeof prod)['concurrency']) => string) =>
  row(name, ...[local, dev, prod].map(({ concurrency }) => of(concurrency)));

/** Whatever is made of code without a template; what needs one is in cost-tables.ts. */
export const TABLES: readonly GeneratedTable[] = [
  { page: 'docs/receiving.md', lines: frameworkTable() },
  {
    page: 'docs/ordered-retry.md',
    lines: table(['number', 'value', 'what'], policyRows()),
  },
  {
    page: 'docs/stages.md',
    lines: [workers('concurrent `match` and `deliver`', ({ match, deliver }) => `${match} and ${deliver}`)],
  },
  {
    page: 'docs/stages.md',
    lines: [workers('concurrent `wake` and `sweep`', ({ wake, sweep }) => `${wake} and ${sweep}`)],
  },
];
