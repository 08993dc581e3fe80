import { setTimeout as delay } from 'node:timers/promises';
import {
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { SAVED_QUERIES } from '../../../lib/saved-queries.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { INSTANT_OPTION, oneOf, wholeNumberOption } from '../../terminal/option-kinds.ts';
import { textTable } from '../../terminal/terminal.ts';
import type { ExaminedStage } from '../doctor/examined-stage.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { findStage, type StageFinder } from '../stage-finder.ts';

const NAMES = SAVED_QUERIES.map(({ name }) => name);
const POLL_MS = 1_000;

export function queryCommand(find: StageFinder = findStage, wait: (ms: number) => Promise<unknown> = delay) {
  return operatorCommand({
    name: 'query',
    synonyms: ['logs', 'errors'],
    summary: 'Ask the logs of a stage one of its saved queries',
    arguments: { query: { check: oneOf(NAMES), help: NAMES.join(', ') } },
    options: {
      minutes: wholeNumberOption('how many minutes back', 1, 20_160, { default: '60' }),
      since: { ...INSTANT_OPTION, help: 'from then on, instead of --minutes' },
      until: { ...INSTANT_OPTION, help: 'up to then (default: now)' },
      for: { value: 'ID', help: 'the payment or message of the queries that ask for one' },
      ...ON_STAGE,
    },
    example: "'internal errors' --minutes 30 --stage dev",
    remarks: SAVED_QUERIES.map(({ name, question }) => `${name}: ${question}`).join('\n'),
    async run({ query, minutes, since, until, for: id, stage }, { now, print }) {
      if (stage.isLocal) {
        throw new ExplainedError(
          'The local stack has no saved queries: read its logs, .local/*.log. Of a deployed stage: add --stage or --stack and its name.',
        );
      }
      const found = await find(stage);
      const { text, logGroupNames } = await savedQuery(found, query);
      if (/"(pay|msg)_\.\.\."/.test(text) && id === undefined) {
        throw new ExplainedError(`${query} asks about one payment or message: add --for and its id.`);
      }
      const endTime = until ?? now();
      const rows = await answered(found, wait, {
        logGroupNames,
        queryString: text.replace(/(pay|msg)_\.\.\./, id ?? ''),
        startTime: Math.floor((since ?? endTime - minutes * 60_000) / 1_000),
        endTime: Math.ceil(endTime / 1_000),
      });
      const table = textTable([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
      print(rows.length === 0 ? 'The logs have nothing of it.' : table.join('\n'), { rows });
      return true;
    },
  });
}

/** As it is deployed, with the logs that it reads. */
async function savedQuery({ clients, output, settings }: ExaminedStage, query: string) {
  const name = `${output('people', 'SavedQueryPrefix')}${query}`;
  const { queryDefinitions = [] } = await clients.logs.send(
    new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix: name }),
  );
  const { queryString: text, logGroupNames } = queryDefinitions.find((one) => one.name === name) ?? {};
  if (text === undefined || logGroupNames === undefined) {
    throw new ExplainedError(`The stage ${settings.name} has no saved query ${JSON.stringify(query)}.`);
  }
  return { text, logGroupNames };
}

interface Asked {
  readonly logGroupNames: string[];
  readonly queryString: string;
  /** In s. */
  readonly startTime: number;
  readonly endTime: number;
}

async function answered({ clients }: ExaminedStage, wait: (ms: number) => Promise<unknown>, asked: Asked) {
  const { queryId } = await clients.logs.send(new StartQueryCommand(asked));
  for (;;) {
    const { status, results = [] } = await clients.logs.send(new GetQueryResultsCommand({ queryId }));
    if (status !== 'Scheduled' && status !== 'Running') {
      if (status !== 'Complete') {
        throw new ExplainedError(`The query has ended as ${status}: ask about a shorter time.`);
      }
      return results.map(rowOf);
    }
    await wait(POLL_MS);
  }
}

function rowOf(fields: readonly ResultField[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ field = '', value = '' }) => (field === '@ptr' ? [] : [[field, value]])),
  );
}

/** The names that calls of AWS need, as a shell takes them. */
export function outputsCommand(find: StageFinder = findStage) {
  return operatorCommand({
    name: 'outputs',
    summary: 'Print what a stage has recorded of itself, as variables for a shell: names, URLs and ARNs',
    options: ON_STAGE,
    example: '--stage dev',
    remarks: 'To set them: eval "$(npm run --silent ops -- outputs --stage dev)"',
    async run({ stage }, { print }) {
      const { values } = await find(stage);
      const outputs = Object.assign({}, ...Object.values(values)) as Record<string, string>;
      const lines = Object.entries(outputs).map(([name, value]) => `export ${name}='${value}'`);
      print(lines.join('\n'), outputs);
      return lines.length > 0;
    },
  });
}
