import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isOfLaboratory, npmWords, readAsNpmRun } from '../../support/documented/option-readers.ts';
import { PROJECT, pages } from '../../support/documented/pages.ts';
import { printedTexts, sourceTexts } from '../../support/documented/printed-texts.ts';

const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
const commands = printedTexts();

/** Some programs fill in the command itself: `npm run webhooks -- x`. */
const COMMAND_IS_A_GAP = /^(unknown command 'x'|There is no scenario x;)/;

test('each npm command in our texts, the console, the dashboard and the pages gives arguments that are taken', async () => {
  const ours = commands.filter(({ command }) => command.startsWith('npm ') && !isOfLaboratory(command));
  // As many as there are, not only what a page has.
  expect(ours.filter(({ at }) => !at.endsWith('.md')).length).toBeGreaterThan(35);
  expect(ours.map(({ at }) => at)).toEqual(
    expect.arrayContaining(['lib/observability/dashboard/health.ts', 'console/texts.ts']),
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
