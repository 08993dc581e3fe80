import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GOV_UK_PAY } from '../../support/gov-uk-pay.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Where they belong. */
const ALLOWED = [
  // Whose catalogue it is, the default of a stage without one, and the pages that tell of it.
  'lib/events/event-catalogue.ts',
  'lib/payhooks-props.ts',
  'lib/settings.ts',
  'cli/operator/schema/schema-command.ts',
  // A retry schedule and a signature that a partner may choose, as GOV.UK Pay has them.
  'cli/partner/subscription-options.ts',
  'console/messages/signature/signature.ts',
  'console/subscriptions/form/further-settings.tsx',
  'console/texts.ts',
  'functions/adapters/dynamodb/trouble/waiting-payments.ts',
  'functions/core/attempt/delivery-policy.ts',
  'functions/core/attempt/signature.ts',
  'functions/core/attempt/signing-secret.ts',
  'functions/core/subscription/subscription-fields.ts',
  'functions/core/subscription/subscription-view.ts',
  'functions/core/subscription/subscription.ts',
  'lib/webhook-subscription.ts',
  // What the lab measures: schemas, a resource of 1 KB, and workers without a deployment.
  'load/profile/stand-ins/payment-resource.ts',
  'load/scale/cell.ts',
  // What stored resources are compressed with: it stays as it is.
  'functions/adapters/dynamodb/history/stored-resource.ts',
];

const NAMES = new RegExp(
  [
    'gov.?uk|card_payment|refund',
    ...GOV_UK_PAY.types.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ].join('|'),
  'i',
);

test("product code names nobody's events: it works with those of any catalogue", () => {
  const sources = globSync('{bin,build,cli,console,functions,lib,load,local}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/node_modules', 'load/test'],
  });
  const naming = sources.filter((file) => NAMES.test(readFileSync(path.join(ROOT, file), 'utf8')));
  expect(naming.sort()).toEqual(ALLOWED.toSorted());
});
