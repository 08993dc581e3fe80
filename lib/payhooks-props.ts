import type { Duration } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Conditions, IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { TestNetwork } from '../functions/adapters/http/test-network.ts';
import type { DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
import type { Validation } from '../functions/core/catalogue/schema-check.ts';
import type { CallbackUrlRules } from '../functions/core/subscription/callback-url.ts';
import type { ConsoleSettings } from './bundling/console-settings.ts';
import type { EventCatalogue } from './events/event-catalogue.ts';
import type { ShardCount } from './shards.ts';

/** How a deployment differs from others. Everything has a default that suits a first one. */
export interface PayhooksProps {
  /**
   * What has to have a name is called `payhooks-` and this: the bus, alarms, the dashboard. Up to 20 letters,
   * digits and hyphens. Whoever changes it gets a new bus.
   *
   * @default - unique: made from the stack's name and the construct's path
   */
  readonly name?: string;
  /** Where parts go that are not to be in this construct's own stack. @default - all parts are children */
  readonly scopes?: PayhooksScopes;

  /**
   * The types of events that publishers send and partners subscribe to: docs/publishing.md, "Your event types".
   * @default EventCatalogue.govUkPay()
   */
  readonly events?: EventCatalogue;
  /**
   * Whether the resource of each event is checked by the JSON Schema of its type. `mark`: one that does not fit
   * is delivered with a mark. `refuse`: it is dead-lettered, with its reason. A schema's regular expressions
   * are yours: see docs/publishing.md, "Checking resources".
   *
   * @default 'off'
   */
  readonly validate?: Validation;

  // What may exist already

  /**
   * The bus that publishers use. Rules and their bus are in one account and region. Several constructs may
   * share one: each gets every event. AWS allows 300 rules for a bus: 18 for each construct, or 66. The alarms
   * `events-lost` and `rule-failures` watch all rules of the bus, so they ring for each construct on it, and
   * for rules of your own that fail.
   *
   * @default - a bus of its own
   */
  readonly bus?: IEventBus;
  /**
   * Encrypts what holds bodies or names people: tables, queues, the archive. An imported key must let
   * EventBridge use it, or events are lost: synthesis prints the statement. @default - see customerManagedKey
   */
  readonly encryptionKey?: IKey;
  /**
   * Encrypts signing secrets. Not `encryptionKey`: who reads payments must not read secrets.
   * @default - a key of its own
   */
  readonly secretsEncryptionKey?: IKey;
  /**
   * Encrypts log groups; must let CloudWatch Logs use it. @default - CloudWatch's key, or that of
   * `ownKeysEverywhere`
   */
  readonly logsEncryptionKey?: IKey;
  /**
   * The network from which webhooks are sent; it needs a way to the internet. Not with `fixedAddresses`.
   * @default - Lambda's own
   */
  readonly vpc?: IVpc;
  /** @default - private subnets with egress */
  readonly vpcSubnets?: SubnetSelection;
  /** @default - a group that lets out what `callbackUrls` allows, and nothing in */
  readonly securityGroups?: ISecurityGroup[];
  /** The address of the HTTP API and the console. The API's own is switched off then. @default - its own */
  readonly domain?: PayhooksDomain;
  /** Gets all alarms, unless `alarms` says otherwise. CloudWatch must be allowed to publish. @default - none */
  readonly alarmTopic?: ITopic;
  /**
   * Whom alarms tell, by severity: an e-mail address, or a topic or its ARN.
   * @default - `alarmTopic`, or topics of its own, to which you subscribe
   */
  readonly alarms?: Readonly<Partial<Record<'urgent' | 'routine', ITopic | string>>>;
  /** Of all roles. @default - none */
  readonly permissionsBoundary?: IManagedPolicy;
  /** Tags of all resources, such as a cost center. @default - none of its own */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * Refused: AWS WAF protects REST APIs, load balancers and CloudFront, but no HTTP API. Put a CloudFront
   * distribution with the web ACL before `apiUrl`. Each request needs a token, and requests are limited.
   *
   * @default - none
   */
  readonly webAclArn?: string;

  // Data

  /**
   * Protects data against mistakes: tables cannot be deleted, and what holds data stays when its construct or
   * stack goes. @default true
   */
  readonly keepsData?: boolean;
  /**
   * Whether a customer managed key encrypts the tables and queues that hold bodies or name people, instead of
   * a key that AWS owns. CloudTrail then records its use, and disabling it makes the data unreadable. Costs
   * $1 a month, another dollar after each of the first two yearly rotations, and $0.03 per 10,000 requests;
   * see docs/security.md. @default true
   */
  readonly customerManagedKey?: boolean;
  /**
   * Whether our own keys also encrypt what AWS's keys do otherwise: the bus, the rules' dead letters and all
   * logs. Needs `customerManagedKey`, and a third key, since the rules' dead letters must not depend on the
   * first (docs/adr/0017). Untried on AWS, and not on the emulator. @default false
   */
  readonly ownKeysEverywhere?: boolean;
  /**
   * ARNs of the roles that administer the keys, such as change their policies or schedule their deletion.
   * **The role that deploys must be one**, or KMS refuses the keys. The account's root user always may, so
   * nobody is locked out. @default - whoever has a policy that allows it
   */
  readonly keyAdministrators?: readonly [string, ...string[]];
  /** @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays;
  /**
   * Keeps the attempts of all messages as files in S3, for SQL over more than `History` holds;
   * docs/archive.md has the price. @default - no archive
   */
  readonly archive?: { readonly retention: Duration };

  // Load

  /**
   * Into how many message groups of `events.fifo` the rules of the bus spread payments. SQS hashes groups to
   * partitions that take 300 events a second each, so more groups overflow later: docs/scale.md. Change it
   * while `events.fifo` is empty: a payment may change its group. @default 16
   */
  readonly shards?: ShardCount;
  /** The most workers of each function. @default - 17 match, 100 deliver, 10 wake, 10 statistics; unreserved */
  readonly concurrency?: Partial<Concurrency>;
  /**
   * The usual rates, for which provisioned pollers read the queues of match and, with `webhooksPerSecond`, of
   * deliver: each receives ten times a second at most, so records wait for others and share batches.
   * docs/adr/0023 says what that saves and risks. Untried on AWS, and not on the emulator.
   *
   * @default - Lambda's own pollers, which cost nothing and take most records one by one
   */
  readonly pollers?: { readonly eventsPerSecond: number; readonly webhooksPerSecond?: number };
  /**
   * What each table of the pipeline's load, and each index but those of stuck payments, takes at once;
   * DynamoDB learns more by itself, within minutes of throttling. AWS charges once for what exceeds the
   * present value, and it cannot be lowered: docs/cost.md.
   *
   * @default - AWS's for new tables: 4,000 writes and 12,000 reads a second
   */
  readonly warmThroughput?: { readonly writesPerSecond: number; readonly readsPerSecond: number };
  /**
   * The visibility timeout of a queue as a multiple of its worker's timeout: records of a killed worker come
   * back after that. AWS advises six. Only on the emulator it may be less: nothing throttles there, and nobody
   * waits six minutes on their own machine. @default 6
   */
  readonly visibilityFactor?: number;

  // Delivering

  /**
   * Where webhooks may go, and whether endpoints have to prove themselves first: docs/proof.md.
   * @default - https on port 443, and no proof
   */
  readonly callbackUrls?: Partial<CallbackUrlRules>;
  /**
   * Webhooks are sent from this many fixed addresses, one per NAT gateway; two survive the failure of a zone.
   * docs/operations.md has the price.
   *
   * @default - Lambda's changing addresses
   */
  readonly fixedAddresses?: { readonly natGateways: 1 | 2 };
  /**
   * When failed messages are retried, when a circuit opens, and how long finished messages are kept. Where
   * `slowOfAll` and `widestWindowOfAll` are DELIVERY_POLICY's, they are made half and four times
   * `concurrency.deliver`. @default DELIVERY_POLICY
   */
  readonly deliveryPolicy?: DeliveryPolicy;
  /**
   * Of attempts that went as usual, one of this many is logged, drawn by lot: the history has them all. 20 keep
   * enough for percentiles (180 of an hour of one a second) and cost a cent for a million; all cost $0.28.
   * @default 20
   */
  readonly attemptsPerDraw?: number;
  /**
   * How long final states are collected before they are counted. Statistics lag by it; each batch costs a
   * write for each subscription in it. @default - 30 seconds
   */
  readonly statisticsWindow?: Duration;
  /**
   * The publishers that may send straight into `events.fifo`, by a role made for them: ARNs of their roles,
   * or `account` for everybody in the account whose own policy allows it. docs/publishing.md, "Straight into
   * the queue". @default - none
   */
  readonly queuePublishers?: 'account' | readonly [string, ...string[]];

  /**
   * Tells partners by mail and webhook when an endpoint of theirs fails: docs/notices.md. `sender` is an address, or a name
   * and an address such as `Bakery webhooks <webhooks@example.com>`, which SES has verified in the region.
   * @default - nobody is told
   */
  readonly notices?: { readonly sender: string };

  // Looking after it

  /** Name and colours of the console, and the pages that may frame it. @default - ours, and none */
  readonly console?: ConsoleSettings;
  /**
   * IAM conditions for assuming the role of an analyst or of the person on call, besides a policy of one's
   * own. One of them has to hold. @default - none
   */
  readonly peopleConditions?: readonly [Conditions, ...Conditions[]];
  /** Whether X-Ray traces API requests and the doctor's payments; docs/adr/0018. @default true */
  readonly tracing?: boolean;
  /**
   * The age at which a single record, in a queue that should be empty, is worth paging somebody.
   * @default - five minutes
   */
  readonly oldestRecordAlarm?: Duration;
  /**
   * First attempts later than this are too late; GOV.UK Pay watches the same two.
   * @default - five minutes for one message, 30 seconds on average
   */
  readonly lateAlarm?: LateAlarm;
  /**
   * The share of messages, above 0 and below 1, that has to be acknowledged within 60 s of intake; of fewer
   * than 20 in a quarter of an hour it is not asked. @default 0.9
   */
  readonly acknowledgedAlarm?: number;
  /**
   * What a month may cost; twice what `npm run ops -- cost` says for your traffic is a good start. `stage`
   * counts the deployment's own costs, which AWS knows only once the tags `project` and `stage` are cost
   * allocation tags; until then it would count nothing.
   *
   * @default - no budget
   */
  readonly budget?: { readonly monthlyUsd: number; readonly counts: 'account' | 'stage' };
  /**
   * When the silence of publishers is an alarm: when fewer events come within some time, up to a day, than
   * always do; or far fewer than CloudWatch has learned in two weeks, which costs $0.30 a month.
   *
   * @default - never
   */
  readonly silence?: 'unusual' | { readonly atLeast: number; readonly within: Duration };
  /**
   * How a new version of a function takes over: at once, or as a canary that gets a tenth of the work for ten
   * minutes and is rolled back when an alarm goes off. @default 'at once'
   */
  readonly rollout?: 'at once' | 'canary';
  /**
   * How often a synthetic payment is sent from the bus to a synthetic receiver. @default - only when somebody
   * runs the doctor
   */
  readonly doctorEvery?: Duration;
  /**
   * The CloudWatch namespace of its metrics. Two deployments of an account must not share one: their alarms
   * would count each other's. @default - `Payhooks/` and the name
   */
  readonly metricNamespace?: string;

  // Trying it

  /** Whether there is a simulated receiver, for load runs. @default false */
  readonly loadLab?: boolean;
  /**
   * Whether it is for the emulator: what that lacks is left out, delays are short, and endpoints may be on
   * your machine. @default - the context `payhooks:local`
   */
  readonly emulated?: boolean;
  /** Names and certificates of a test. @default - the real ones, as always on AWS */
  readonly testNetwork?: TestNetwork;
}

/**
 * Scopes for parts. A part is the only one of its scope, and named by it alone: for two parts in a stack, give
 * each a `Construct` there. All stacks belong to one account and region.
 */
export interface PayhooksScopes {
  /** Tables and keys. @default - the construct */
  readonly data?: Construct;
  /** Bus, rules, queues and their workers. @default - the construct */
  readonly pipeline?: Construct;
  /** Bucket and SQL tables. @default - the construct */
  readonly archive?: Construct;
  /** The HTTP API, the console and the doctor. @default - the construct */
  readonly api?: Construct;
  /** The simulated receiver. @default - the construct */
  readonly loadLab?: Construct;
  /** Alarms and the dashboard. @default - the construct */
  readonly observability?: Construct;
  /** Roles and saved queries. @default - the construct */
  readonly people?: Construct;
}

/** An address of your own for the API and the console. */
export interface PayhooksDomain {
  /** Such as `hooks.example.com`. */
  readonly domainName: string;
  /** Of the API's region. */
  readonly certificate: ICertificate;
  /**
   * Gets the record that leads to the API. @default - you make it: a CNAME (or an alias) of the domain name
   * with the construct's `domainTarget`
   */
  readonly hostedZone?: IHostedZone;
}

export interface Concurrency {
  /** One for each shard and one for the rest can be busy: with events by the bus, more would idle. */
  readonly match: number;
  readonly deliver: number;
  /** SQS requires at least two. */
  readonly wake: number;
  /** Two would do the same work twice. */
  readonly sweep: number;
  /** Two for each shard of the history's stream, which has one shard for about a thousand writes a second. */
  readonly statistics: number;
  /**
   * The receiver of synthetic payments. Its URL is public: the limit keeps a flood from taking workers from
   * other functions.
   */
  readonly syntheticReceiver: number;
  /** Whether these numbers are reserved in the account. Only where its quota (at least 1,000) allows it. */
  readonly reserved: boolean;
}

export interface LateAlarm {
  /** For any single message. */
  readonly single: Duration;
  /** For the average of five minutes. */
  readonly average: Duration;
}
