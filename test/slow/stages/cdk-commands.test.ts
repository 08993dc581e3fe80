import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { PROJECT } from '../../support/documented/pages.ts';
import { printedTexts } from '../../support/documented/printed-texts.ts';
import { blocksForAws, rehearse } from '../../support/documented/rehearsal.ts';
import { testApp } from '../../support/templates/synthesized.ts';

/** With every option of a stage, because the pages describe them all. */
const stacks = addPayhooks(testApp(), {
  ...STAGES.dev,
  fixedAddresses: { natGateways: 2 },
  customerManagedKey: true,
  rollout: 'canary',
  archive: { retention: Duration.days(30) },
});
const awsCalls = rehearse(blocksForAws(), {
  QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:queue',
  FUNCTION: 'deliver',
}).calls;

const cdkCalls = [
  ...awsCalls
    .filter(({ words }) => words[0] === 'npx' && words[1] === 'cdk')
    .map(({ at, words }) => ({ at, words: words.slice(2) })),
  ...printedTexts()
    .filter(({ command }) => command.startsWith('npx cdk '))
    .map(({ at, command }) => ({ at, words: command.split(' ').slice(2) })),
];

test('the CDK has every option that pages and texts give it, and the app every stack', () => {
  expect(cdkCalls.map(({ words }) => words[0])).toEqual(
    expect.arrayContaining(['deploy', 'diff', 'bootstrap']),
  );
  const known = new Map(
    [...new Set(cdkCalls.map(({ words: [verb = ''] }) => verb))].map((verb) => {
      const { stdout } = spawnSync(path.join(PROJECT, 'node_modules/.bin/cdk'), [verb, '--help'], {
        encoding: 'utf8',
      });
      return [verb, new Set(stdout.match(/(?<=[\s,])--?[a-z][a-z-]*/g))];
    }),
  );
  const ids = Object.values(stacks).map(({ node }) => node.id);
  const wrong = cdkCalls.flatMap(({ at, words: [verb = '', ...words] }) =>
    words
      .filter((word, index) =>
        word.startsWith('-')
          ? !known.get(verb)?.has(word)
          : verb !== 'bootstrap' &&
            !/^-(c|-context)$/.test(words[index - 1] ?? '') &&
            /^[A-Z]/.test(word) &&
            !ids.includes(word),
      )
      .map((word) => `${at}: cdk ${verb}: ${word}`),
  );
  expect(wrong).toEqual([]);
}, 60_000);
