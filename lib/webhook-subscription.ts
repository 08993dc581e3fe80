import { CustomResource, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { type CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import { vetCallbackUrl } from '../functions/core/subscription/callback-url.ts';
import { subscriptionFields } from '../functions/core/subscription/subscription-fields.ts';
import { faultOfEventType } from './events/unmatched-pattern.ts';
import type { Payhooks } from './payhooks.ts';
import { duration, faultsOf, flag, must } from './prop-checks.ts';

/** An endpoint as code. What is left out has the API's default, also when it was set before. */
export interface WebhookSubscriptionProps {
  /** Whose events it gets. */
  readonly webhooks: Payhooks;
  /** The service that owns it: the events' `service_id`. Another one makes another subscription. */
  readonly service: string;
  /** Where webhooks are sent: https and a public name. */
  readonly url: string;
  /** Event types of `webhooks`, or prefixes of them followed by `*`: each has to match one. */
  readonly eventTypes: readonly string[];
  /**
   * Which of these events it gets, by what they say: a pattern in the language of EventBridge, such as
   * `{ resource: { amount: [{ numeric: ['>=', 10_000] }] } }`. @default - all
   */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** What it gets of each `resource`: JSON Pointers such as `/amount`. @default - all of it */
  readonly fields?: readonly string[];
  /** Whether it gets live events, or test ones. Another value makes another subscription. @default true */
  readonly live?: boolean;
  /** One line for people. @default - none */
  readonly description?: string;
  /** How long an attempt may take, 1 to 30 seconds. @default - ten seconds */
  readonly timeout?: Duration;
  /** When failed messages are retried. @default 'standard' */
  readonly schedule?: 'standard' | 'govuk';
  /** The most attempts a second, 1 to 100; every message then waits for up to a second. @default - no limit */
  readonly rateLimit?: number;
  /** An e-mail address of those who look after the endpoint. @default - none */
  readonly contact?: string;
  /** Where notices are sent as webhooks. @default - nowhere */
  readonly noticesUrl?: string;
  /** Signatures besides `v1`. @default - none */
  readonly extraSignatures?: readonly ('v1a' | 'pay-signature' | 'rfc9421')[];
  /**
   * The id of a subscription that exists: from now on this construct changes it. Its signing secret stays
   * where it is, and it stays when the construct goes. @default - a new one
   */
  readonly adopt?: string;
  /**
   * Whether it may be deleted while messages wait for its endpoint, which cancels them.
   * @default - the deletion fails, and says so
   */
  readonly deleteWhileWaiting?: boolean;
  /**
   * What becomes of it when the construct goes. @default - RemovalPolicy.DESTROY, and RETAIN with `adopt`
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * A subscription that CloudFormation creates, changes and deletes. It goes through our API, so its rules hold:
 * a URL that it refuses fails the deployment with its reason, and *Changes* names the stack.
 *
 * What partners change by the API stays until the next deployment that changes this construct. A secret that
 * they rotate is not written back to `signingSecret`. A deployment may have some seventy with a secret.
 */
export class WebhookSubscription extends Construct {
  readonly subscriptionId: string;
  /** Signs its webhooks; in no template and no log. Undefined with `adopt`. */
  readonly signingSecret: ISecret | undefined;

  constructor(scope: Construct, id: string, props: WebhookSubscriptionProps) {
    super(scope, id);
    refuse(this, props);
    const { webhooks, adopt, live = true, deleteWhileWaiting = false } = props;
    const { declaredSubscriptions } = webhooks.parts.api;
    const secret = adopt === undefined ? new Secret(this, 'SigningSecret', DESCRIBED) : undefined;
    this.signingSecret = secret;
    // On AWS `Ref` says the same; the emulator answers it with the name.
    const secretArn = secret && (secret.node.defaultChild as CfnSecret).attrId;
    const resource = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::WebhookSubscription',
      serviceToken: declaredSubscriptions.live.functionArn,
      serviceTimeout: Duration.minutes(10),
      removalPolicy:
        props.removalPolicy ?? (adopt === undefined ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN),
      properties: {
        serviceId: props.service,
        live: String(live),
        fields: Stack.of(this).toJsonString(fieldsOf(props)),
        secretArn,
        adopt,
        deleteWhileWaiting: String(deleteWhileWaiting),
      },
    });
    // The API before its first request, with what it may do; and it is there until the last.
    resource.node.addDependency(webhooks.parts.data, webhooks.parts.api);
    if (secret !== undefined && secretArn !== undefined) {
      Validations.of(secret).acknowledge({
        id: 'AwsSolutions-SMG4',
        reason:
          'Secrets rotate by our API, with an overlap: only the partner knows when his endpoint is ready.',
      });
      resource.node.addDependency(webhooks.parts.api.keptSecrets.allow(secret, secretArn));
    }
    this.subscriptionId = resource.ref;
  }
}

const DESCRIBED = { description: 'Verifies webhooks of Payhooks' };

/** As the API takes them: null for what is unset, where it can be. */
function fieldsOf({ timeout = Duration.seconds(10), ...props }: WebhookSubscriptionProps) {
  return {
    callback_url: props.url,
    description: props.description ?? '',
    event_types: props.eventTypes,
    filter: props.filter ?? null,
    fields: props.fields ?? null,
    timeout_ms: timeout.toMilliseconds(),
    schedule: props.schedule ?? 'standard',
    extra_signatures: props.extraSignatures ?? [],
    rate_limit: props.rateLimit ?? null,
    contact: props.contact ?? null,
    notices_url: props.noticesUrl ?? null,
  };
}

const {
  callback_url: url,
  event_types: eventTypes,
  rate_limit: rateLimit,
  extra_signatures: extraSignatures,
  ...fields
} = subscriptionFields;

/** By the API's own rules. */
const propsSchema = z.strictObject({
  webhooks: must('parts', 'a Payhooks'),
  service: z
    .string()
    .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, hyphens or underscores')),
  url,
  eventTypes,
  filter: z.optional(fields.filter),
  fields: z.optional(fields.fields),
  live: flag,
  description: z.optional(fields.description),
  timeout: z.optional(duration(Duration.seconds(1), Duration.seconds(30), Duration.millis(1))),
  schedule: z.optional(fields.schedule),
  rateLimit: z.optional(rateLimit),
  contact: z.optional(fields.contact),
  noticesUrl: z.optional(fields.notices_url),
  extraSignatures: z.optional(extraSignatures),
  adopt: z.optional(z.string().check(z.regex(/^sub_/, 'must be the id of a subscription: sub_…'))),
  deleteWhileWaiting: flag,
  removalPolicy: z.optional(z.enum(['destroy', 'retain', 'retain-on-update-or-delete'])),
});

/** What is known to fail later. @throws */
function refuse(construct: Construct, props: WebhookSubscriptionProps): void {
  const isUnknown = (value: unknown) => Token.isUnresolved(value);
  const faults = faultsOf(propsSchema, props, isUnknown);
  const problems =
    faults.length > 0
      ? faults
      : [...faultOfPlace(construct, props), ...faultsOfUrls(props), ...faultsOfEventTypes(props)];
  if (problems.length > 0) {
    throw new Error(`${construct.node.path}: ${problems.join('; ')}`);
  }
}

function faultOfPlace(construct: Construct, { webhooks }: WebhookSubscriptionProps): string[] {
  const [here, there] = [Stack.of(construct).environment, Stack.of(webhooks.parts.api).environment];
  return here === there
    ? []
    : [`goes to ${here}, but ${webhooks.node.path} to ${there}: give both stacks the same env`];
}

/** By its text: the names behind it are looked up by the API. */
function faultsOfUrls({ webhooks, live = true, ...props }: WebhookSubscriptionProps): string[] {
  return (['url', 'noticesUrl'] as const).flatMap((name) => {
    const url = props[name];
    if (url === undefined || Token.isUnresolved(url)) {
      return [];
    }
    const vetted = vetCallbackUrl({ url, live }, webhooks.parts.api.callbackUrls);
    return vetted.kind === 'refused' ? [`${name}: ${JSON.stringify(url)} given. ${vetted.reason}`] : [];
  });
}

function faultsOfEventTypes({ webhooks, eventTypes }: WebhookSubscriptionProps): string[] {
  const faults = eventTypes
    .filter((pattern) => !Token.isUnresolved(pattern))
    .flatMap((pattern) => faultOfEventType(pattern, webhooks.events) ?? []);
  return faults.slice(0, 1).map((fault) => `eventTypes: ${fault}`);
}
