import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, shopWith, statementsOf, synthesized } from '../../support/templates/synthesized.ts';

const TELLING = { ...STAGES.dev, notices: { sender: 'Shop <hooks@mail.shop.example>' } };

test('nobody is told, and nothing of it is deployed, unless a stage names a sender', () => {
  const ids = Object.keys(synthesized('dev').api.toJSON().Resources).filter((id) => id.startsWith('Notices'));
  expect(ids).toEqual([]);
  expect(Object.keys(synthesized(TELLING).api.toJSON().Resources)).toContainEqual(
    expect.stringMatching(/^NoticesRule/),
  );
});

test('notices reads subscriptions, keeps its own books, reads no secret, and sends from one address only', () => {
  const { api } = synthesized(TELLING);
  const statements = statementsOf(api, 'Notices').filter(({ Action }) =>
    [Action].flat().some((action) => /^(dynamodb|ses|events):/.test(String(action))),
  );
  expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
    [['dynamodb:GetItem', 'dynamodb:Query'], undefined],
    [
      ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#notices' } },
    ],
    ['dynamodb:UpdateItem', { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': '#asked#*' } }],
    [
      ['dynamodb:GetItem', 'dynamodb:PutItem'],
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#notices' } },
    ],
    ['ses:SendEmail', { StringEqualsIfExists: { 'ses:FromAddress': 'hooks@mail.shop.example' } }],
  ]);
  expect(JSON.stringify(statements.at(-1)?.Resource)).toMatch(
    /identity\/hooks@mail\.shop\.example.*identity\/mail\.shop\.example/,
  );
  expect(propertiesOf(api, 'Events::Rule', 'NoticesRule')).toMatchObject([
    {
      EventPattern: {
        source: ['payhooks'],
        'detail-type': ['circuit.opened', 'message.exhausted', 'subscription.disabled'],
      },
    },
  ]);
});

test.each([
  '',
  'shop',
  'Shop <hooks@shop.example',
  'hooks@shop.example>',
  'a@b.example\r\nBcc: c@d.example',
  '"x" <a@b.example>, c@d.example',
])('refuses the sender %j', (sender) => {
  expect(() => shopWith({ notices: { sender } })).toThrow(/is no sender of mails: give an address such as/);
});
