import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { propertiesOf } from '../../support/templates/resources.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const RUNBOOK = path.resolve(import.meta.dirname, '../../../cli/operator/runbook.sh');
const QUEUE = 'arn:aws:sqs:eu-west-1:1:queue';
const BUS = 'arn:aws:events:eu-west-1:1:event-bus/payhooks-dev';
const hasJq = spawnSync('jq', ['--version']).status === 0;

/** The policies that it gives two queues which have this one. */
function given(policy: string) {
  const script = `
    . ${RUNBOOK}
    output() { echo "$2"; }
    aws() {
      case "$*" in
        *describe-event-bus*) echo ${BUS} ;;
        *QueueArn*) echo ${QUEUE} ;;
        *get-queue-attributes*) printf %s "$POLICY" ;;
        *) printf '%s\\n' "\${@: -1}" ;;
      esac
    }
    let_rules_send`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    env: { PATH: process.env.PATH, POLICY: policy },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(JSON.parse(line).Policy));
}

/** What the template says of the queue that the rules send to. */
function inTemplate(): Record<string, unknown>[] {
  const all = propertiesOf(synthesized('dev').pipeline, 'SQS::QueuePolicy');
  const { PolicyDocument } = all.find(({ PolicyDocument }) =>
    JSON.stringify(PolicyDocument).includes('RulesOfTheBus'),
  );
  return PolicyDocument.Statement;
}

(hasJq ? test : test.skip)('a queue that lost its policy gets what the template says (needs jq)', () => {
  const [deny, rules] = inTemplate();
  const wanted = [
    { ...deny, Principal: '*', Resource: QUEUE },
    {
      ...rules,
      Resource: QUEUE,
      Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:events:eu-west-1:1:rule/payhooks-dev/*' } },
    },
  ];
  // The CLI prints None for an attribute that is not there.
  const [events, deadLetters] = given('None');
  expect(events.Statement).toEqual(wanted);
  expect(deadLetters).toEqual(events);
  expect(Object.keys((rules as { Condition: object }).Condition)).toEqual(['ArnLike']);
});

(hasJq ? test : test.skip)('what others were allowed stays, and nothing comes twice (needs jq)', () => {
  const others = {
    Sid: 'Publishers',
    Effect: 'Allow',
    Principal: '*',
    Action: 'sqs:SendMessage',
    Resource: QUEUE,
  };
  const [once] = given(JSON.stringify({ Version: '2012-10-17', Statement: [others] }));
  expect(once.Statement).toEqual([others, expect.objectContaining({ Sid: 'RulesOfTheBus' })]);
  expect(given(JSON.stringify(once))[0]).toEqual(once);
});
