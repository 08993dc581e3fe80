import { policyWith } from '../../../cli/operator/aws/allow-rules-command.ts';
import { propertiesOf } from '../../support/templates/resources.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const QUEUE = 'arn:aws:sqs:eu-west-1:1:queue';
const RULES = 'arn:aws:events:eu-west-1:1:rule/payhooks-dev/*';
const given = (policy?: object) => policyWith(policy && JSON.stringify(policy), QUEUE, RULES);

/** What the template says of the queue that the rules send to. */
function inTemplate(): Record<string, unknown>[] {
  const all = propertiesOf(synthesized('dev').pipeline, 'SQS::QueuePolicy');
  const { PolicyDocument } = all.find(({ PolicyDocument }) =>
    JSON.stringify(PolicyDocument).includes('RulesOfTheBus'),
  );
  return PolicyDocument.Statement;
}

test('a queue that lost its policy gets what the template says', () => {
  const [deny, rules] = inTemplate();
  expect(given().Statement).toEqual([
    { ...deny, Principal: '*', Resource: QUEUE },
    { ...rules, Resource: QUEUE, Condition: { ArnLike: { 'aws:SourceArn': RULES } } },
  ]);
  expect(Object.keys((rules as { Condition: object }).Condition)).toEqual(['ArnLike']);
});

test('what others were allowed stays, and nothing comes twice', () => {
  const others = { Sid: 'Publishers', Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage' };
  const once = given({ Version: '2012-10-17', Statement: [others] });
  expect(once.Statement).toEqual([others, expect.objectContaining({ Sid: 'RulesOfTheBus' })]);
  expect(given(once)).toEqual(once);
});
