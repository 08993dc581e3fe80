import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { PROJECT } from '../../support/documented/pages.ts';
import { printedTexts } from '../../support/documented/printed-texts.ts';
import { blocksForAws, rehearse } from '../../support/documented/rehearsal.ts';
import { examplesPython, hasPython } from '../../support/examples-python.ts';

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
  60_000,
);
