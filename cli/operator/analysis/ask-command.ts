import * as z from 'zod';
import { stageFigures } from '../../../functions/adapters/dynamodb/analysis/stage-figures.ts';
import {
  type AnalysisTable,
  type Cell,
  DIMENSIONS,
  type Dimension,
  GROUPS,
  QUESTIONS,
  type Question,
  tableOfCounts,
  tableOfMessages,
} from '../../../functions/core/analysis/analysis-table.ts';
import { archiveSql } from '../../../functions/core/analysis/archive-sql.ts';
import { countedPage } from '../../../functions/core/analysis/counted-page.ts';
import { isTimeZone } from '../../../functions/core/analysis/counted-row.ts';
import { csvOf } from '../../../functions/core/analysis/csv.ts';
import { READ_UNIT_USD } from '../../../functions/core/analysis/list-prices.ts';
import type { StageFigures } from '../../../functions/core/analysis/ports.ts';
import { unacknowledged, type Where } from '../../../functions/core/analysis/unacknowledged.ts';
import type { Place } from '../../../functions/core/analysis/walk.ts';
import { serviceIdSchema } from '../../../functions/core/api/api-token.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { INSTANT_OPTION, oneOf } from '../../terminal/option-kinds.ts';
import { textTable } from '../../terminal/terminal.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;
const GROUP = {
  value: 'GROUPS',
  help: `one or two of ${DIMENSIONS.join(', ')}, with a comma between them`,
  default: 'service',
  check: z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(
      z
        .array(z.enum(DIMENSIONS, `must be one or two of ${DIMENSIONS.join(', ')}`))
        .max(2, 'must be two at most'),
    ),
} as const;

const ABOUT: Readonly<Record<Question, string>> = {
  failures: 'failed attempts, by reason: the failure class, or http_status with its status',
  acknowledgement: 'from intake to the 2xx: how many within 60 s, p50 and p95 (at most 19 % too high)',
  volume: 'what was delivered, failed, was given up or cancelled',
  retries: 'delivered and failed, and what failed attempts and those after them cost at list price',
  'not-acknowledged': 'messages taken in during the period that no 2xx has acknowledged by now',
};

interface Asked {
  readonly since: string;
  readonly until: string;
  readonly by: readonly Dimension[];
  readonly service: string | undefined;
  readonly zone: string;
}

export function askCommand() {
  return operatorCommand({
    name: 'ask',
    synonyms: ['analysis', 'report', 'services'],
    summary: 'Answer a question of analysts about all partners, as a table or CSV',
    arguments: { question: { check: oneOf(QUESTIONS), help: QUESTIONS.join(', ') } },
    options: {
      since: { ...INSTANT_OPTION, help: `from then on (default: ${DAYS_BACK} days before --until)` },
      until: { ...INSTANT_OPTION, help: 'up to then (default: now)' },
      by: GROUP,
      service: { value: 'SERVICE', check: serviceIdSchema, help: 'of this service alone' },
      zone: {
        value: 'ZONE',
        check: z.string().refine(isTimeZone, 'must be a time zone such as Europe/London'),
        help: 'in which days begin',
        default: 'UTC',
      },
      csv: { help: 'print CSV (RFC 4180), without totals' },
      sql: { help: 'print the same question as a statement for the archive, and read nothing' },
      ...ON_STAGE,
    },
    example: 'failures --by service,reason --stage dev',
    remarks: `${QUESTIONS.map((question) => `${question}: ${ABOUT[question]}`).join('\n')}
Counts are kept for 40 days and lag by some 30 seconds. Messages are kept as long as the history. What needs months: docs/archive.md.`,
    check({ question, by }) {
      const unknown = by.find((one) => !GROUPS[question].includes(one));
      if (unknown !== undefined) {
        throw new ExplainedError(
          `--by: ${question} cannot be grouped by ${unknown}, only by ${GROUPS[question].join(', ')}`,
        );
      }
    },
    async run({ question, service, by, zone, csv, sql, stage, ...given }, { access, print, now, progress }) {
      const untilMs = given.until ?? now();
      const until = instant(untilMs);
      const since = instant(given.since ?? untilMs - DAYS_BACK * DAY_MS);
      if (since >= until) {
        throw new ExplainedError(`--since ${since} is not before --until ${until}`);
      }
      if (sql) {
        const only = { service: service ?? '' };
        print(archiveSql({ question, since, until, by, zone, only }), { question, since, until });
        return true;
      }
      const { dynamodb, ...of } = await access(stage);
      const reads = stageFigures(dynamodb, await of.tables());
      const table = await answered(question, { since, until, by, service, zone }, reads, progress);
      const cost = `${reads.readUnits()} read units, $${(reads.readUnits() * READ_UNIT_USD).toFixed(6)}`;
      print(csv ? csvOf(table).trimEnd() : textOf(table, `From ${since} until ${until}; ${cost}.`), {
        question,
        since,
        until,
        ...table,
        read_units: reads.readUnits(),
      });
      return true;
    },
  });
}

async function answered(
  question: Question,
  { since, until, by, service: only, zone }: Asked,
  reads: StageFigures,
  progress: ((line: string) => void) | undefined,
): Promise<AnalysisTable> {
  const told = () => progress?.(`${reads.readUnits()} read units so far`);
  if (question === 'not-acknowledged') {
    const messages = await allPages(async (from: Where | undefined) => {
      const page = await unacknowledged(reads, { since, until, only }, from);
      told();
      return { found: page.messages, next: page.next };
    });
    return tableOfMessages(messages, by, zone);
  }
  const length = by.includes('hour') ? 'hour' : 'day';
  const rows = await allPages(async (after: Place | undefined) => {
    const page = await countedPage(reads, { since, until, by: length, timeZone: zone, only }, after);
    told();
    return { found: page.rows, next: page.next };
  });
  return tableOfCounts(question, rows, by);
}

async function allPages<Found, From>(
  read: (
    from: From | undefined,
  ) => Promise<{ readonly found: readonly Found[]; readonly next: From | undefined }>,
): Promise<Found[]> {
  const all: Found[] = [];
  let from: From | undefined;
  do {
    const { found, next } = await read(from);
    all.push(...found);
    from = next;
  } while (from !== undefined);
  return all;
}

function textOf({ columns, rows, totals }: AnalysisTable, footer: string): string {
  if (rows.length === 0) {
    return `Nothing was counted. ${footer}`;
  }
  const written = (cells: readonly Cell[]) => cells.map((cell) => String(cell));
  return [...textTable([columns, ...rows.map(written), ['total', ...written(totals).slice(1)]]), footer].join(
    '\n',
  );
}
