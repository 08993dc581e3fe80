import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { type Fence, fences, isOfLaboratory, PROJECT, pages, prose } from './pages.ts';

/** A command in a text that people read, cut out of it. */
interface PrintedText {
  /** The file. */
  readonly at: string;
  /** `npm run ops -- stuck list --stage dev`, with its gaps filled in. */
  readonly command: string;
}

const SOURCES = '{bin,cli,console,functions,lib,load,local}/**/*.{ts,tsx,json}';

/** What a program puts into a gap of its text, by what comes before it; else `x`. */
const FILLED_BY_PROGRAMS = [
  [/(--stage |--confirm |stage=)$/, 'dev'],
  [/redrive $/, 'rule'],
  [/deploy $/, 'Pipeline'],
  [/--as $/, 'analyst'],
  [/stuck \w+ $/, 'sub_x.pay_x'],
  // Options, or none.
  [/messages \S+ $/, ''],
] as const;

/** What a reader puts into the gaps that a text leaves. */
const FILLED_BY_READERS: Readonly<Record<string, string>> = {
  $STAGE: 'dev',
  '<service>': 'bakery',
  '<ordering-key>': 'sub_x.pay_x',
  '<what>': 'cost',
  '<scenario>': 'simple',
  '<queue>': 'deliveries',
  '<table>': 'ordering-keys',
  '<token_id>': 'tok_0123456789abcdef',
  '\\|all': '',
};

const COMMAND = /\b(?:npm (?:run|start|test)|npx cdk|aws [a-z0-9-]+ [a-z]+-[a-z-]+)\b[^\n`]*/g;

/**
 * All commands in the texts of our sources and in the running text of our pages. What is in blocks of pages
 * is read as shell elsewhere.
 */
export function printedTexts(): PrintedText[] {
  const sources = sourceTexts().flatMap(({ at, text }) =>
    commandsIn(text).map((command) => ({ at, command })),
  );
  const inPages = pages().flatMap((page) =>
    [...prose(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
      commandsIn(code).map((command) => ({ at: page.name, command })),
    ),
  );
  return [...sources, ...inPages];
}

/** Whatever our sources could print. */
export function sourceTexts() {
  return globSync(SOURCES, { cwd: PROJECT }).flatMap((at) => textsOf(at).map((text) => ({ at, text })));
}

/** A command ends where the sentence continues: at punctuation, a bracket, a pipe or a column of a table. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(COMMAND)].map(([found]) => {
    const [command = ''] = found.split(/[,;:.](?=\s|$)|\s*[()|]|\s{2,}|<\/| (?:or|and) /);
    const filled = Object.entries(FILLED_BY_READERS).reduce(
      (all, [gap, by]) => all.replaceAll(gap, by),
      command,
    );
    return filled
      .replaceAll(/<[^>]+>/g, 'x')
      .replaceAll(/ (?:…|\.\.\.|\[options\])/g, '')
      .trim();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the nodes of a syntax tree
type Node = any;

function textsOf(file: string): string[] {
  const source = readFileSync(path.join(PROJECT, file), 'utf8');
  if (file.endsWith('.json')) {
    return [...source.matchAll(/"command": "(.*)"/g)].map(([, command = '']) => command);
  }
  return /npm |npx |aws |deploy/.test(source)
    ? literals(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x') }))
    : [];
}

function literals(node: Node): string[] {
  if (node === null || typeof node !== 'object') {
    return [];
  }
  const inside = Object.values(node).flatMap(literals);
  return ['StringLiteral', 'TemplateLiteral', 'JSXText'].includes(node.type)
    ? [textOf(node), ...inside]
    : inside;
}

/** A choice counts as its longer text. */
function textOf(node: Node, before = ''): string {
  switch (node.type) {
    case 'StringLiteral':
    case 'JSXText':
      return node.value;
    case 'TemplateLiteral':
      return node.quasis.reduce((text: string, { cooked }: Node, index: number) => {
        const gap = node.expressions[index];
        return `${text}${cooked}${gap === undefined ? '' : textOf(gap, text + cooked)}`;
      }, '');
    case 'ConditionalExpression': {
      const [one = '', other = ''] = [textOf(node.consequent, before), textOf(node.alternate, before)];
      return one.length > other.length ? one : other;
    }
    default:
      if (isChoiceOfDeployment(node)) {
        return '--stage dev';
      }
      return FILLED_BY_PROGRAMS.find(([comesBefore]) => comesBefore.test(before))?.[1] ?? 'x';
  }
}

/** `stage.option`, `option` or `optionFor(name)`: what chooses the same deployment again. */
function isChoiceOfDeployment({ type, property, value, callee }: Node): boolean {
  switch (type) {
    case 'MemberExpression':
      return property.value === 'option';
    case 'Identifier':
      return value === 'option';
    case 'CallExpression':
      return callee.value === 'optionFor';
    default:
      return false;
  }
}

/** The commands of blocks that are not marked: they have to run anywhere. The laboratory has its own test. */
export function printedCommands() {
  return pages().flatMap((page) =>
    fences(page)
      .filter(({ info }: Fence) => info === 'sh')
      .flatMap(({ text }) => commandsOf(text))
      .filter((command) => !isOfLaboratory(command))
      .map((command) => ({ page: page.name, command })),
  );
}

/**
 * Without comments; one over several lines is one. Enough shell for blocks without functions, loops, and
 * texts of several lines.
 */
function commandsOf(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}
