import { Stack, type StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Payhooks } from '../../../lib/payhooks.ts';
import type { PayhooksProps } from '../../../lib/payhooks-props.ts';
import { testApp } from './synthesized.ts';

/** Where a stack of a test goes, when it matters. */
export const HERE = { account: '111122223333', region: 'eu-west-1' };

/** A stack of somebody's own app, with Payhooks in it. */
export function shopWith(
  props: PayhooksProps | ((stack: Stack) => PayhooksProps) = {},
  {
    context = {},
    id = 'Webhooks',
    ...stackProps
  }: StackProps & { readonly context?: Record<string, unknown>; readonly id?: string } = {},
) {
  const app = testApp();
  for (const [name, value] of Object.entries(context)) {
    app.node.setContext(name, value);
  }
  const stack = new Stack(app, 'Shop', stackProps);
  const webhooks = new Payhooks(stack, id, typeof props === 'function' ? props(stack) : props);
  return { app, stack, webhooks, template: () => Template.fromStack(stack) };
}
