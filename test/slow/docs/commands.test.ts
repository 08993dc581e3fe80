import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AS_RUN, RUN_ELSEWHERE } from '../../support/documented/as-run.ts';
import {
  type Fence,
  fences,
  isOfLaboratory,
  npmWords,
  PROJECT,
  pages,
  readAsNpmRun,
} from '../../support/documented/pages.ts';
import { printedCommands, printedTexts, sourceTexts } from '../../support/documented/printed-texts.ts';
import { blocksForAws, rehearse } from '../../support/documented/rehearsal.ts';
import { examplesPython, hasPython } from '../../support/examples-python.ts';
import { INSTALLING_MS } from '../../support/installing.ts';

describe('commands', () => {
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
        /^aws |--stage (dev|prod)|\$STAGE|stage=(dev|prod)/.test(command) &&
        !/AWS_ENDPOINT_URL/.test(command),
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
});

describe('aws calls', () => {
  const GIVEN = {
    QUEUE_ARN: 'arn:aws:sqs:eu-west-1:111122223333:queue',
    FUNCTION: 'payhooks-dev-pipeline-Deliver',
  };

  (hasPython ? test : test.skip)(
    'the operations and options of AWS that pages and our own texts call are in the service models (needs python3)',
    async () => {
      // Each page in a shell of its own: a page may have a function of the same name as another's.
      const calls = [...Map.groupBy(blocksForAws(), ({ page }) => page).values()]
        .flatMap((blocks) => rehearse(blocks, GIVEN).calls)
        .filter(({ words }) => words[0] === 'aws');
      expect(calls.length).toBeGreaterThan(30);
      // A text may leave out what a call needs besides.
      const inTexts = printedTexts()
        .filter(({ command }) => command.startsWith('aws '))
        .map(({ at, command }) => ({ at, words: command.split(' '), isInPart: true }));
      expect(inTexts.length).toBeGreaterThan(20);
      const { stdout, stderr } = spawnSync(
        await examplesPython(),
        [path.join(PROJECT, 'test/support/documented/aws_calls.py')],
        { input: JSON.stringify([...calls, ...inTexts]), encoding: 'utf8' },
      );
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    },
    INSTALLING_MS,
  );
});

describe('printed texts', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
  const commands = printedTexts();

  /** Some programs fill in the command itself: `npm run webhooks -- x`. */
  const COMMAND_IS_A_GAP = /^(unknown command 'x'|There is no scenario x;)/;

  test('each npm command in our texts, the console, the dashboard and the pages gives arguments that are taken', async () => {
    const ours = commands.filter(({ command }) => command.startsWith('npm ') && !isOfLaboratory(command));
    // As many as there are, not only what a page has.
    expect(ours.filter(({ at }) => !at.endsWith('.md')).length).toBeGreaterThan(35);
    expect(ours.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['lib/observability/dashboard/dashboard.ts', 'console/texts.ts']),
    );
    const wrong: string[] = [];
    for (const { at, command } of ours) {
      await readAsNpmRun(npmWords(command), scripts).catch(({ message }: Error) => {
        // A command may be named without what it needs besides.
        if (!/missing required argument|required option/.test(message) && !COMMAND_IS_A_GAP.test(message)) {
          wrong.push(`${at}: ${command}: ${message}`);
        }
      });
    }
    expect(wrong).toEqual([]);
  });

  test('what commands of operators say to run next is for the same stage', () => {
    const onStages = commands.filter(
      ({ at, command }) =>
        at.startsWith('cli/operator/') &&
        /ops -- (audit|circuits|end-|payment|redrive|restore|stuck)/.test(command),
    );
    expect(onStages.length).toBeGreaterThan(5);
    expect(onStages.filter(({ command }) => !command.includes('--stage dev'))).toEqual([]);
  });

  /** Where a plain deployment helps: nothing is there yet, or the last one has failed. */
  const OF_WHAT_IS_MISSING = [
    ...['revert-drift', 'stacks/stacks', 'stacks/way-out'].map((file) => `cli/operator/doctor/${file}.ts`),
    'cli/stage/find-deployment.ts',
  ];

  test('whoever mends a stage is told to revert drift, as CDK skips a stack whose template has not changed', () => {
    const isForMending = (at: string) =>
      /^(docs\/(operations|incident|restore)|cli\/(operator|stage))/.test(at) &&
      !OF_WHAT_IS_MISSING.includes(at);
    const plain = commands.filter(
      ({ at, command }) =>
        isForMending(at) && /cdk deploy/.test(command) && !command.includes('--revert-drift'),
    );
    expect(plain).toEqual([]);
    const texts = [...sourceTexts(), ...pages().map(({ name, text }) => ({ at: name, text }))].filter(
      ({ at }) => isForMending(at),
    );
    expect(texts.length).toBeGreaterThan(100);
    const inWords =
      /redeploy|deploy (?:it|(?:the |its )?(?:stage|stack|pipeline|api)[^.;]*) again|cdk deploy(?!.*--revert-drift)/i;
    expect(texts.filter(({ text }) => inWords.test(text))).toEqual([]);
  });
});
