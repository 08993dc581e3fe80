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
  type Unacknowledged,
} from '../../../functions/core/analysis/analysis-table.ts';
import { type CountedRow, countedRows, isTimeZone } from '../../../functions/core/analysis/counted-row.ts';
import { csvOf } from '../../../functions/core/analysis/csv.ts';
import type { StageFigures } from '../../../functions/core/analysis/ports.ts';
import { isSubscription, subscriptionsOf } from '../../../functions/core/analysis/walk.ts';
import { serviceIdSchema } from '../../../functions/core/api/api-token.ts';
import { isPing } from '../../../functions/core/catalogue/ping-names.ts';
import { MESSAGE_STATES } from '../../../functions/core/message/message.ts';
import type { Position } from '../../../functions/core/message/message-history.ts';
import { hourOf } from '../../../functions/core/statistics/statistics.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { oneOf } from '../../terminal/option-kinds.ts';
import { textTable } from '../../terminal/terminal.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;
/** Each query of messages reads at most so many. */
const PAGE = 500;

const INSTANT = {
  value: 'INSTANT',
  check: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an instant such as 2026-11-14T10:00:00Z')
    .transform((text) => instant(Date.parse(text))),
} as const;

const GROUP = {
  value: 'GROUPS',
  help: `one or two of ${DIMENSIONS.join(', ')}, with a comma between them`,
  default: 'service',
  check: z
    .string()
    .transform((text) => text.split(','))
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
      since: { ...INSTANT, help: `from then on (default: ${DAYS_BACK} days before --until)` },
      until: { ...INSTANT, help: 'up to then (default: now)' },
      by: GROUP,
      service: { value: 'SERVICE', check: serviceIdSchema, help: 'of this service alone' },
      zone: {
        value: 'ZONE',
        check: z.string().refine(isTimeZone, 'must be a time zone such as Europe/London'),
        help: 'in which days begin',
        default: 'UTC',
      },
      csv: { help: 'print CSV (RFC 4180), without totals' },
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
    async run({ question, service, by, zone, csv, stage, ...given }, { access, print, now, progress }) {
      const { dynamodb, ...of } = await access(stage);
      const until = given.until ?? instant(now());
      const since = given.since ?? instant(Date.parse(until) - DAYS_BACK * DAY_MS);
      if (since >= until) {
        throw new ExplainedError(`--since ${since} is not before --until ${until}`);
      }
      const reads = stageFigures(dynamodb, await of.tables());
      const table = await answered(question, { since, until, by, service, zone }, reads, progress);
      const cost = `${reads.readUnits()} read units`;
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
  const counted: CountedRow[] = [];
  const messages: Unacknowledged[] = [];
  let seen = 0;
  for await (const place of subscriptionsOf(reads, { only, after: undefined })) {
    if (!isSubscription(place)) continue;
    if (question === 'not-acknowledged') {
      for await (const message of unacknowledged(reads, place.subscription_id, { since, until })) {
        messages.push({ service_id: place.service_id, ...message });
      }
    } else {
      const hours = await reads.hours(place.subscription_id, { since: hourOf(since), until });
      counted.push(...countedRows(place, hours, by.includes('hour') ? 'hour' : 'day', zone));
    }
    seen += 1;
    progress?.(`${seen} subscriptions, ${reads.readUnits()} read units`);
  }
  return question === 'not-acknowledged'
    ? tableOfMessages(messages, by, zone)
    : tableOfCounts(question, counted, by);
}

async function* unacknowledged(
  reads: StageFigures,
  subscriptionId: string,
  span: { readonly since: string; readonly until: string },
) {
  for (const state of MESSAGE_STATES.filter((one) => one !== 'succeeded')) {
    let after: Position | undefined;
    do {
      const page = await reads.messages(subscriptionId, {
        ...span,
        state,
        limit: PAGE,
        ...(after && { after }),
      });
      yield* page.messages.filter((message) => !isPing(message));
      after = page.next;
    } while (after !== undefined);
  }
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
