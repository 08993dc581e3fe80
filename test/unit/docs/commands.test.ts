import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AS_RUN, RUN_ELSEWHERE } from '../../support/documented/as-run.ts';
import { isOfLaboratory, readAsNpmRun } from '../../support/documented/option-readers.ts';
import { type Fence, fences, PROJECT, pages } from '../../support/documented/pages.ts';
import { printedCommands } from '../../support/documented/printed-commands.ts';
import { blocksForAws, rehearse } from '../../support/documented/rehearsal.ts';

const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
const allFences = pages().flatMap(fences);
const forAws = [...Map.groupBy(blocksForAws(), ({ page }) => page)];
/** What the text around blocks asks the reader for. */
const GIVEN = {
  QUEUE_ARN: 'arn:aws:sqs:eu-west-1:111122223333:queue',
  FUNCTION: 'payhooks-dev-pipeline-Deliver',
};

const position = ({ page, line }: Fence) => `${page}:${line}`;

test('a block of shell commands says whether it takes a deployed stage, or an app of one’s own', () => {
  const looksLikeShell = /^\s*(\$ |npm |npx |node |aws |cdk |curl |python3? |bash |git )/m;
  const untold = allFences.filter(
    ({ info, text }) =>
      (/^(ba|z)?sh|shell|console/.test(info) && !['sh', 'sh aws', 'sh app'].includes(info)) ||
      (['', 'text'].includes(info) && looksLikeShell.test(text)),
  );
  expect(untold.map(position)).toEqual([]);
});

test('what is not marked runs without AWS credentials: it names no deployed stage', () => {
  const commands = printedCommands();
  expect(commands.length).toBeGreaterThan(30);
  const deployed = commands.filter(
    ({ command }) =>
      /^aws |--stage (dev|prod)|\$STAGE|stage=(dev|prod)/.test(command) && !/AWS_ENDPOINT_URL/.test(command),
  );
  expect(deployed).toEqual([]);
});

test('each command that is run otherwise than it is printed is printed somewhere, once in the table, with a reason', () => {
  const printed = printedCommands().map(({ page, command }) => `${page}: ${command}`);
  const listed = [...AS_RUN, ...RUN_ELSEWHERE].map(({ page, printed }) => `${page}: ${printed}`);
  expect(listed.filter((entry) => !printed.includes(entry))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  expect([...AS_RUN, ...RUN_ELSEWHERE].filter(({ why }) => why.length < 10)).toEqual([]);
});

test.each(RUN_ELSEWHERE)('$printed of $page is run by $by', ({ by, shownBy }) => {
  expect(readFileSync(path.join(PROJECT, by), 'utf8')).toContain(shownBy);
});

describe.each(forAws)('%s, which takes a deployed stage,', (_, blocks) => {
  const { calls, complaints } = rehearse(blocks, GIVEN);
  const called = (name: string) => calls.filter(({ words }) => words[0] === name);

  test.each(blocks.map((block) => ({ at: position(block), text: block.text })))(
    '$at is shell',
    ({ text }) => {
      const { stderr } = spawnSync('bash', ['--norc', '-n'], { input: text, encoding: 'utf8' });
      expect(stderr).toBe('');
    },
  );

  test('calls only what there is, with variables that have been set', () => {
    expect(complaints).toBe('');
    expect(called('the').map(({ at }) => at)).toEqual(blocks.map(position));
  });

  test('gives the commands of this project arguments that they take', async () => {
    const refused: string[] = [];
    for (const { at, words } of called('npm').filter(({ words }) => !isOfLaboratory(words.join(' ')))) {
      const given = words.slice(1).map((word) => word.replaceAll('...', 'x'));
      await readAsNpmRun(given, scripts).catch(({ message }: Error) =>
        refused.push(`${at}: ${words.join(' ')}: ${message}`),
      );
    }
    expect(refused).toEqual([]);
  });
});
