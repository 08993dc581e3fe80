import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { API_LOGS, SAVED_QUERIES } from '../../../lib/saved-queries.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * Fields that Logs Insights adds to each log entry. Source: "Supported logs and discovered fields", Amazon
 * CloudWatch Logs User Guide.
 */
const DISCOVERED = ['@timestamp', '@message', '@log', '@logStream'];
/**
 * Those of Lambda's report of a failed invocation. Source: "Lambda Telemetry API Event schema reference", AWS
 * Lambda Developer Guide.
 */
const REPORTED = ['type', 'record.status', 'record.errorType'];

/** The entries that our functions log, with nested fields named as in Logs Insights: `error.name`. */
function loggedLines(): Record<string, unknown>[] {
  // Warnings and errors go to stderr.
  const { stdout, stderr } = spawnSync(
    path.join(ROOT, 'node_modules/.bin/node'),
    ['--no-warnings', path.join(import.meta.dirname, 'log-everything.ts')],
    { encoding: 'utf8', env: { ...process.env, POWERTOOLS_SERVICE_NAME: 'test' } },
  );
  const text = `${stdout}\n${stderr}`;
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => flat(JSON.parse(line)));
}

function flat(value: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'object' && member !== null
        ? Object.entries(flat(member, `${prefix}${name}.`))
        : [[`${prefix}${name}`, member]],
    ),
  );
}

/** Codes that only an internal error logs; the test finds them in the source instead. */
const sources = readdirSync(path.join(ROOT, 'functions'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(ROOT, 'functions', file), 'utf8'))
  .join('\n');

const lines = loggedLines();

test.each(SAVED_QUERIES.map((query) => [query.name, query] as const))(
  '%s uses only fields and codes that our functions log',
  (_, { text }) => {
    const query = text.join('\n| ');
    const codes = namedCodes(query);
    const known = codes.filter((code) => lines.some((line) => line.message === code));
    expect(codes.filter((code) => !known.includes(code) && !sources.includes(`'${code}'`))).toEqual([]);

    const looked = lines.filter(({ message }) => codes.length === 0 || known.includes(message as string));
    const there = new Set([...looked.flatMap(Object.keys), ...DISCOVERED]);
    const reports = query.includes('"platform.report"') ? REPORTED : [];
    expect(namedFields(query).filter((name) => !there.has(name) && !reports.includes(name))).toEqual([]);
  },
);

test('a query is parsed as Logs Insights does', () => {
  const query =
    'filter message in ["a.b", "c"] and x.y != z and @message like /one two/ | parse @message /(?<made>x)/ | stats pct(duration_ms, 99) as p99 by made, bin(1h) as hour | sort p99 desc';
  expect(namedFields(query)).toEqual(['message', 'x.y', 'z', '@message', 'duration_ms']);
  expect(namedCodes(query)).toEqual(['a.b', 'c']);
});

test('no query for analysts reads the logs of the API, which may show what partners changed', () => {
  const asked = SAVED_QUERIES.filter(({ askedBy }) => askedBy === 'analyst').flatMap(({ logs }) => logs);
  expect(asked.filter((source) => (API_LOGS as readonly string[]).includes(source))).toEqual([]);
});

test('names are unique, and queries that list entries are limited', () => {
  expect(new Set(SAVED_QUERIES.map(({ name }) => name)).size).toBe(SAVED_QUERIES.length);
  const endless = SAVED_QUERIES.filter(
    ({ text }) => !text.some((line) => /^(limit \d+|stats .*bin)/.test(line)),
  );
  expect(endless.map(({ name }) => name)).toEqual([]);
});

test('the page for analysts lists every query: theirs in a table, those for on-call below', () => {
  const page = readFileSync(path.join(ROOT, 'docs/analysts.md'), 'utf8');
  const [, section = ''] = page.split('\n## Saved log queries\n');
  const [table = '', below = ''] = section.split(/\n## /)[0]!.split('\nFor on-call engineers');
  const rows = [...table.matchAll(/^\| (.+) \| .+ \|$/gm)].slice(2).map(([, name]) => name);
  const named = [...below.matchAll(/_([^_]+)_/g)].map(([, name]) => name);
  const askedBy = (who: string) =>
    SAVED_QUERIES.filter((query) => query.askedBy === who).map(({ name }) => name);
  expect({ rows, named }).toEqual({ rows: askedBy('analyst'), named: askedBy('on-call') });
});

/**
 * Keywords of the Logs Insights query language. Source: "CloudWatch Logs Insights language query syntax",
 * Amazon CloudWatch Logs User Guide.
 */
const WORDS = new Set(
  'filter stats fields display sort limit parse as by and or not in like asc desc'.split(' '),
);

/** Fields that a query defines itself: with `as`, and with named groups in the pattern of a `parse`. */
function made(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/\bas (\w+)|\(\?<(\w+)>/g)].map(([, alias, group]) => (alias ?? group) as string),
  );
}

/**
 * The fields that a query reads: every name that is not a keyword, a function, a number or a field of its
 * own.
 */
function namedFields(text: string): string[] {
  const known = made(text);
  const bare = text.replaceAll(/"[^"]*"|\/(?:[^/\\\n]|\\.)+\/(?=\s|$|\))/g, ' ');
  const names = [...bare.matchAll(/(?<![\w.@])@?[A-Za-z_][\w.]*(?![\w.]*\()/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !WORDS.has(name) && !known.has(name));
}

/** The log codes that a query looks for. */
function namedCodes(text: string): string[] {
  return [...text.matchAll(/message (?:= ("[^"]*")|in \[([^\]]*)\])/g)].flatMap(([, one, several]) =>
    [...(one ?? several ?? '').matchAll(/"([^"]*)"/g)].map(([, code]) => code as string),
  );
}
