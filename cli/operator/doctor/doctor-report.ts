import type pc from 'picocolors';
import type { Output } from '../../terminal/command.ts';
import { printable } from '../../terminal/terminal.ts';
import { OUTCOMES, type Outcome } from './check.ts';
import type { ByHand } from './checklist.ts';
import type { Examined } from './examine.ts';
import type { StageInAccount } from './examined-stage.ts';

export type Colors = ReturnType<typeof pc.createColors>;

interface Examination {
  readonly stage: string;
  readonly accountId: string;
  readonly region: string;
  readonly caller: string;
  readonly findings: readonly Examined[];
  readonly byHand: readonly ByHand[];
}

const SIGNS: Readonly<Record<Outcome, string>> = {
  ok: '✓',
  warning: '!',
  failed: '✗',
  'could not be checked': '?',
};

type Examining = Omit<StageInAccount<{ readonly name: string }>, 'stacks' | 'clients'>;

/** Prints what was found. Returns whether nothing failed, and whatever can be checked here was. */
export function printed(
  { settings: { name }, accountId, region, caller }: Examining,
  findings: readonly Examined[],
  left: readonly ByHand[],
  { print, colors }: Output & { readonly colors: Colors },
): boolean {
  const ok = findings.every(
    ({ outcome, isExcused }) => outcome === 'ok' || outcome === 'warning' || isExcused,
  );
  const examination = { stage: name, accountId, region, caller, findings, byHand: left };
  print(reportText(examination, colors), { ok, ...examination });
  return ok;
}

/** A table, what to do about what is not well, and what is left to people. */
function reportText(examination: Examination, colors: Colors): string {
  const { stage, accountId, region, caller, findings, byHand } = examination;
  const paint: Readonly<Record<Outcome, (text: string) => string>> = {
    ok: colors.green,
    warning: colors.yellow,
    failed: colors.red,
    'could not be checked': colors.dim,
  };
  const width = Math.max(...findings.map(({ name }) => name.length));
  const rows = findings.flatMap(({ name, outcome, seen, details = [] }) => [
    `  ${paint[outcome](`${SIGNS[outcome]} ${outcomeText(outcome)}`)}  ${name.padEnd(width)}  ${printable(seen)}`,
    ...details.map((detail) => colors.dim(`${' '.repeat(width + 16)}${printable(detail)}`)),
  ]);
  const todo = findings.flatMap(({ name, todo }) => todo.map((what) => `  ${name}: ${printable(what)}`));
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length;
  const sum = OUTCOMES.filter((outcome) => count(outcome) > 0).map((outcome) =>
    paint[outcome](`${count(outcome)} ${outcome}`),
  );
  return [
    `Payhooks, stage ${stage}, account ${accountId} in ${region}`,
    colors.dim(`as ${caller}`),
    '',
    ...rows,
    '',
    ...(todo.length === 0 ? [] : ['What to do', ...todo, '']),
    ...(byHand.length === 0
      ? []
      : ['By hand, on AWS (docs/aws-checklist.md)', ...byHand.map(handText).map(colors.dim), '']),
    sum.join(', '),
  ].join('\n');
}

/** All as wide as the widest that is common; the rare one is shortened. */
function outcomeText(outcome: Outcome): string {
  return (outcome === 'could not be checked' ? 'unchecked' : outcome).padEnd(9);
}

function handText({ number, heading, inPart }: ByHand): string {
  return `  item ${number}: ${heading}${inPart ? ' (what is left of it)' : ''}`;
}
