import {
  type DeadLetterQueue,
  deadLetterQueue,
} from '../../../../../cli/operator/redrive/dead-letter-queues.ts';
import { readDeliveryDeadLetter } from '../../../../../cli/operator/redrive/read-dead-letter.ts';
import type { Redriven } from '../../../../../cli/operator/redrive/redrive.ts';
import { redriveText } from '../../../../../cli/operator/redrive/redrive-report.ts';
import { ChosenDeployment } from '../../../../../cli/stage/chosen-deployment.ts';
import { wrapped } from '../../../../../cli/terminal/terminal.ts';
import { received } from './dead-letter-world.ts';

const DELIVERIES = deadLetterQueue('deliveries') as DeadLetterQueue;
const ADVICE = 'and this is what has to be mended';

function nonsense(number: number, explanation: string) {
  return readDeliveryDeadLetter(
    received({
      recordId: `nonsense ${number}`,
      group: 'sub_1.a',
      body: `nonsense ${number}`,
      attributes: { Reason: 'unreadable', Explanation: explanation },
    }),
  );
}

function reportOf(differences: Partial<Redriven>): string {
  const redriven = {
    ...{ seen: [], unseen: 0, batches: [], stays: [], sent: [], untaken: [], undeleted: 0, returned: [] },
    ...differences,
  };
  return redriveText(redriven, DELIVERIES, new ChosenDeployment('stage', 'dev'), true);
}

test('why a dead letter is one is told to its end, below its row, in lines that fit a terminal', () => {
  const explanation = `${'subscription_id: must be a string, not a number; '.repeat(6)}${ADVICE}`;
  const report = reportOf({ seen: [nonsense(1, explanation)] });
  const [, row = ''] = report.split(/^ {2}count .*\n/m);
  expect(row.replaceAll(/\n +/g, ' ')).toContain(explanation);
  expect(row).toMatch(/^ {2}1 +unreadable +sub_1\.a .*\n {6}subscription_id: must be a string/);
  expect(report.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

test('letters of a payment that are there for different reasons are not told as one', () => {
  const seen = [
    nonsense(1, 'v: must be 1'),
    nonsense(2, 'v: must be 1'),
    nonsense(3, 'signal_kind: is missing'),
  ];
  const report = reportOf({ seen });
  expect(report).toMatch(
    /^ {2}2 +unreadable .*\n {6}v: must be 1\n {2}1 +unreadable .*\n {6}signal_kind: is missing$/m,
  );
});

test('what was put aside again is told with its explanation, to its end', () => {
  const explanation = `${'a fault of ours and then another; '.repeat(6)}${ADVICE}`;
  const report = reportOf({ returned: [nonsense(1, explanation)] });
  expect(report.replaceAll(/\n +/g, ' ')).toContain(`unreadable ${explanation}`);
});

test('a text is wrapped between words; a word that is longer than a line stays whole, and nothing acts on the terminal', () => {
  expect(wrapped(10, 'one two  three four')).toEqual(['one two', 'three four']);
  expect(wrapped(5, 'see https://payhooks.example/docs now')).toEqual([
    'see',
    'https://payhooks.example/docs',
    'now',
  ]);
  expect(wrapped(20, '\u001b[2J')).toEqual(['\\u001b[2J']);
  expect(wrapped(20, '')).toEqual([]);
});
