import { Duration, Fn, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';
import { WebhookSubscription } from '../../../lib/webhook-subscription.ts';
import { HERE, shopWith } from '../../support/templates/synthesized.ts';

const SHOP = {
  service: 'shop',
  url: 'https://shop.example/hooks',
  eventTypes: ['card_payment_captured', 'card_payment_re*'],
} as const;
const DEAR = { resource: { amount: [{ numeric: ['>=', 10_000] }] } };
const DECLARED = 'Custom::WebhookSubscription';

const only = (template: Template, type: string) => Object.values(template.findResources(type))[0];

test('a subscription is a resource that our function makes; its secret is in no template', () => {
  const { stack, webhooks, template } = shopWith();
  const { signingSecret } = new WebhookSubscription(stack, 'Shop', {
    webhooks,
    ...SHOP,
    rateLimit: 5,
    filter: DEAR,
  });
  expect(signingSecret).toBeDefined();
  const { Properties, DeletionPolicy, DependsOn } = only(template(), DECLARED)!;
  expect(Properties).toMatchObject({ serviceId: 'shop', live: 'true', deleteWhileWaiting: 'false' });
  expect(JSON.parse(Properties.fields)).toEqual({
    callback_url: 'https://shop.example/hooks',
    description: '',
    event_types: ['card_payment_captured', 'card_payment_re*'],
    filter: { resource: { amount: [{ numeric: ['>=', 10_000] }] } },
    fields: null,
    timeout_ms: 10_000,
    schedule: 'standard',
    extra_signatures: [],
    rate_limit: 5,
    contact: null,
    notices_url: null,
  });
  expect(DeletionPolicy).toBe('Delete');
  expect(DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^KeepsSecrets/)]));
  expect(JSON.stringify(template().toJSON())).not.toContain('whsec_');
});

test('the function may ask our API, keep these secrets, and nothing else', () => {
  const { stack, webhooks, template } = shopWith();
  new WebhookSubscription(stack, 'Shop', { webhooks, ...SHOP });
  const statements = Object.entries(template().findResources('AWS::IAM::Policy'))
    .filter(([id]) => /DeclaredSubscriptions|KeepsSecret/.test(id))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
  expect(statements.flatMap(({ Action }) => Action).sort()).toEqual([
    'lambda:InvokeFunction',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    'secretsmanager:GetSecretValue',
    'secretsmanager:PutSecretValue',
  ]);
  expect(statements.some(({ Resource }) => Resource === '*')).toBe(false);
});

test('an app without one has no such function, and one with several has one', () => {
  const { stack, webhooks, template } = shopWith();
  const functions = (of: Template) =>
    Object.keys(of.findResources('AWS::Lambda::Function')).filter((id) =>
      id.includes('DeclaredSubscriptions'),
    );
  expect(functions(shopWith().template())).toEqual([]);
  new WebhookSubscription(stack, 'Shop', { webhooks, ...SHOP });
  new WebhookSubscription(stack, 'Bakery', { webhooks, ...SHOP, service: 'bakery' });
  expect(functions(template())).toHaveLength(1);
});

test('it may live in another stack of the app', () => {
  const { app, webhooks } = shopWith();
  const partners = new Stack(app, 'Partners');
  new WebhookSubscription(partners, 'Shop', { webhooks, ...SHOP });
  Template.fromStack(partners).resourceCountIs(DECLARED, 1);
});

test('a stack in another region is refused', () => {
  const { app, webhooks } = shopWith({}, { env: HERE });
  const partners = new Stack(app, 'Partners', { env: { ...HERE, region: 'us-east-1' } });
  expect(() => new WebhookSubscription(partners, 'Shop', { webhooks, ...SHOP })).toThrow(
    'Partners/Shop: goes to aws://111122223333/us-east-1, but Shop/Webhooks to aws://111122223333/eu-west-1: give both stacks the same env',
  );
});

test('types are those of the construct, also when they are known at deployment only', () => {
  const events = EventCatalogue.fromTypes(
    Array.from({ length: 20 }, (_, index) => ({ name: `type.${index}`, description: 'It happened.' })),
  );
  const { stack, webhooks } = shopWith({ events });
  const declare = (...eventTypes: string[]) =>
    new WebhookSubscription(stack, `Shop${eventTypes.length}`, { webhooks, ...SHOP, eventTypes });
  expect(() => declare('type.21')).toThrow(
    /Did you mean type\.1\? There are type\.0, .*type\.11 and 8 more$/,
  );
  expect(() => declare('type.1*', '*', Fn.importValue('Types'))).not.toThrow();
});

test('there may be dozens; when the role cannot name their secrets any more, synthesis says what to do', () => {
  const { stack, webhooks, template } = shopWith();
  const declare = (index: number, over = {}) =>
    new WebhookSubscription(stack, `Shop${index}`, { webhooks, ...SHOP, service: `shop${index}`, ...over });
  let made = 0;
  expect(() => {
    for (; made < 200; made += 1) {
      declare(made);
    }
  }).toThrow(
    /^Shop\/Shop\d+\/SigningSecret: there is no room for the secrets of \d+ WebhookSubscriptions: IAM takes 10240 /,
  );
  expect(made).toBeGreaterThan(70);
  expect(() => declare(999, { adopt: 'sub_1' })).not.toThrow();
  const [policies] = Object.entries(template().findResources('AWS::IAM::Policy')).filter(([id]) =>
    id.startsWith('KeepsSecrets'),
  );
  // As IAM counts them: a reference becomes an ARN.
  const text = JSON.stringify(policies?.[1].Properties.PolicyDocument).replaceAll(
    /\{"Ref":"(\w+)"\}/g,
    (_, id) => `"arn:aws:secretsmanager:ap-southeast-2:111122223333:secret:${id}-123456789012-123456"`,
  );
  expect(text.length).toBeLessThan(10_240);
});

test('one that exists keeps its secret, and stays when the construct goes', () => {
  const { stack, webhooks, template } = shopWith();
  const adopted = new WebhookSubscription(stack, 'Shop', { webhooks, ...SHOP, adopt: 'sub_1' });
  expect(adopted.signingSecret).toBeUndefined();
  template().resourceCountIs('AWS::SecretsManager::Secret', 0);
  const { Properties, DeletionPolicy } = only(template(), DECLARED)!;
  expect(Properties).toMatchObject({ adopt: 'sub_1' });
  expect(DeletionPolicy).toBe('Retain');
});

test.each<[object, string]>([
  [
    { service: 'our shop' },
    'Shop/Shop: service must have 1 to 64 letters, digits, hyphens or underscores: "our shop" given',
  ],
  [{ url: 'shop.example' }, 'url must be a URL such as https://shop.example/webhooks: "shop.example" given'],
  [{ eventTypes: [] }, 'eventTypes must have at least 1 entry: a list of 0 given'],
  [
    { eventTypes: ['card*', 'card_payment_captrued'] },
    'eventTypes: "card_payment_captrued" matches no event type. Did you mean card_payment_captured? There are card_payment_started, ',
  ],
  [
    { eventTypes: ['card_paiment_re*'] },
    '"card_paiment_re*" matches no event type. Did you mean card_payment_refunded?',
  ],
  [{ eventTypes: ['card_payment_*_x'] }, 'eventTypes.0 must be the name of an event type'],
  [{ eventTypes: ['CAPTURE_CONFIRMED'] }, '"CAPTURE_CONFIRMED" matches no event type'],
  [{ filter: { resource: { amount: [] } } }, 'Shop/Shop: filter.resource.amount must not be empty'],
  [{ filter: { total: [1] } }, 'filter.total is not in an event'],
  [{ fields: ['amount'] }, 'fields must be JSON Pointers into resource, such as /amount'],
  [{ fields: [] }, 'fields must have at least 1 entry'],
  [{ adopt: 'shop' }, 'adopt must be the id of a subscription: sub_…: "shop" given'],
  [{ eventType: ['*'] }, 'props has no eventType, only webhooks, service, url, eventTypes,'],
  [{ webhooks: undefined }, 'webhooks must be a Payhooks: undefined given'],
  [{ timeout: Duration.minutes(1) }, 'timeout must be a Duration of 1 second to 30 seconds'],
  [{ rateLimit: 500 }, 'rateLimit must be at most 100: 500 given'],
  [{ schedule: 'quick' }, 'schedule must be one of standard, govuk: "quick" given'],
  [{ contact: 'somebody' }, 'contact must be an email address'],
  [{ extraSignatures: ['v2'] }, 'extraSignatures.0 must be one of v1a,'],
  [{ live: 'false' }, 'live must be true or false, not a string: "false" given'],
  [
    { url: 'http://shop.example/hooks' },
    'url: "http://shop.example/hooks" given. The callback URL must begin with https://',
  ],
  [{ url: 'https://10.0.0.1/hooks' }, 'url: "https://10.0.0.1/hooks" given. '],
  [{ noticesUrl: 'https://shop.example:8443/' }, 'noticesUrl: '],
])('what is known to fail is refused at synthesis: %j', (over, reason) => {
  const { stack, webhooks } = shopWith();
  expect(
    () =>
      new WebhookSubscription(stack, 'Shop', { webhooks, ...SHOP, timeout: Duration.seconds(5), ...over }),
  ).toThrow(reason);
});
