import type { Duration } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import type { TestNetwork } from '../functions/adapters/http/test-network.ts';
import type { DeliveryPolicy } from '../functions/core/attempt/delivery-policy.ts';
import type { CallbackUrlRules } from '../functions/core/subscription/callback-url.ts';
import type { ConsoleSettings } from './bundling/console-settings.ts';
import type { EventCatalogue } from './events/event-catalogue.ts';
import type { ShardCount } from './shards.ts';

/** The names of resources contain it, and so do the variables of functions, of which Lambda takes 4 KB. */
export const MAX_STAGE_NAME = 20;

/** @throws when the stage's name is too long */
export function refuseLongName({ name }: Pick<Stage, 'name'>): void {
  if (name.length > MAX_STAGE_NAME) {
    throw new Error(
      `the name of stage ${name} has ${name.length} characters, of ${MAX_STAGE_NAME} at most (lib/stages.ts)`,
    );
  }
}

/** Everything in which deployments differ. */
export interface Stage {
  readonly name: 'local' | 'strict' | 'second' | 'own-keys' | 'dev' | 'prod';
  /**
   * The stage's account and region: the only place where a region is written. docs/regions.md says how to
   * move a stage.
   *
   * @default - `-c account=… -c region=…`; with credentials, nothing is deployed without one of the two
   */
  readonly env?: { readonly account: string; readonly region: string };
  /** Tags of all resources besides `project` and `stage`, such as a cost center. @default - none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * Protects data against mistakes: termination protection, deletion protection, and what holds data stays
   * when its construct or stack goes.
   */
  readonly keepsData: boolean;
  /**
   * Whether a customer managed key encrypts the tables and queues that hold bodies or name people, instead of
   * a key that AWS owns. CloudTrail then records its use, and disabling it makes the data unreadable. Costs
   * $1 a month, another dollar after each of the first two yearly rotations, and $0.03 per 10,000 requests;
   * see docs/security.md.
   */
  readonly customerManagedKey: boolean;
  /**
   * Whether our own keys also encrypt what AWS's keys do otherwise: the bus, the rules' dead letters and all
   * logs. Needs `customerManagedKey`, and a third key, since the rules' dead letters must not depend on the
   * first (docs/adr/0017). Untried on AWS, and not on the emulator. @default false
   */
  readonly ownKeysEverywhere?: boolean;
  /**
   * ARNs of the roles that administer the stage's keys, such as change their policies or schedule their
   * deletion. **The role that deploys must be one**, or KMS refuses the keys. The account's root user always
   * may, so nobody is locked out. @default - whoever has a policy that allows it
   */
  readonly keyAdministrators?: readonly [string, ...string[]];
  readonly logRetention: 'ONE_WEEK' | 'ONE_MONTH' | 'SIX_MONTHS';
  /**
   * Into how many message groups of `events.fifo` the rules of the bus spread payments. SQS hashes groups to
   * partitions that take 300 events a second each, so more groups overflow later: docs/scale.md. Change it
   * while `events.fifo` is empty: a payment may change its group.
   */
  readonly shards: ShardCount;
  /** The most workers of each function. */
  readonly concurrency: {
    /** One for each shard and one for the rest can be busy: with events by the bus, more would idle. */
    readonly match: number;
    readonly deliver: number;
    /** SQS requires at least two. */
    readonly wake: number;
    /** Two would do the same work twice. */
    readonly sweep: number;
    /**
     * Two for each shard of the history's stream, which has one shard for about a thousand writes a second.
     */
    readonly statistics: number;
    /**
     * The receiver of synthetic payments. Its URL is public: the limit keeps a flood from taking workers from
     * other functions.
     */
    readonly syntheticReceiver: number;
    /** Whether these numbers are reserved in the account. Only where its quota (at least 1,000) allows it. */
    readonly reserved: boolean;
  };
  /**
   * The usual rates of the stage, for which provisioned pollers read the queues of match and, with
   * `webhooksPerSecond`, of deliver: each receives ten times a second at most, so records wait for others and
   * share batches. docs/adr/0023 says what that saves and risks. Untried on AWS, and not on the emulator.
   *
   * @default - Lambda's own pollers, which cost nothing and take most records one by one
   */
  readonly pollers?: { readonly eventsPerSecond: number; readonly webhooksPerSecond?: number };
  /**
   * The visibility timeout of a queue as a multiple of its worker's timeout: records of a killed worker come
   * back after that. AWS advises six. Only an emulated stage may have less: nothing throttles there, and
   * nobody waits six minutes on their own machine.
   */
  readonly visibilityFactor: number;
  /** The types of events that publishers send and partners subscribe to. */
  readonly events: EventCatalogue;
  readonly callbackUrls: CallbackUrlRules;
  /**
   * Webhooks are sent from this many fixed addresses, one per NAT gateway; two survive the failure of a zone.
   * docs/operations.md has the price.
   *
   * @default - Lambda's changing addresses
   */
  readonly fixedAddresses?: { readonly natGateways: 1 | 2 };
  /** Name and colours of the console, and the pages that may frame it. @default - ours, and none */
  readonly console?: ConsoleSettings;
  /** When failed messages are retried, when a circuit opens, and how long finished messages are kept. */
  readonly deliveryPolicy: DeliveryPolicy;
  /**
   * Of attempts that went as usual, one of so many is logged, drawn by lot: the history has them all. 20 keep
   * enough for percentiles (180 of an hour of one a second) and cost a cent for a million; all cost $0.28.
   */
  readonly attemptsPerDraw: number;
  /**
   * How long final states are collected before they are counted. Statistics lag by it; each batch costs a
   * write for each subscription in it.
   */
  readonly statisticsWindow: Duration;
  /**
   * What each table of the pipeline's load, and each index but those of stuck payments, takes at once;
   * DynamoDB learns more by itself, within minutes of throttling. AWS charges once for what exceeds the
   * present value, and it cannot be lowered: docs/cost.md.
   *
   * @default - AWS's for new tables: 4,000 writes and 12,000 reads a second
   */
  readonly warmThroughput?: { readonly writesPerSecond: number; readonly readsPerSecond: number };
  /** Whether the stage has the simulated receiver, for load runs. */
  readonly loadLab: boolean;
  /** Whether X-Ray traces API requests and the doctor's payments; docs/adr/0018. */
  readonly tracing: boolean;
  /** The age at which a single record, in a queue that should be empty, is worth paging somebody. */
  readonly oldestRecordAlarm: Duration;
  /**
   * IAM conditions for assuming the role of an analyst or of the person on call, besides a policy of one's
   * own. One of them has to hold. @default - none
   */
  readonly peopleConditions?: readonly [Conditions, ...Conditions[]];
  /**
   * The publishers that may send straight into `events.fifo`, by a role made for them: ARNs of their roles,
   * or `account` for everybody in the account whose own policy allows it. docs/publishing.md, "Straight into
   * the queue". @default - none
   */
  readonly queuePublishers?: 'account' | readonly [string, ...string[]];
  /**
   * Whom alarms tell, by severity: an e-mail address, or the ARN of an SNS topic of yours that CloudWatch may
   * publish to. @default - nobody; the stage's own topics, to which you subscribe
   */
  readonly alarms?: Readonly<Partial<Record<'urgent' | 'routine', string>>>;
  /**
   * What a month of the stage may cost; twice what `npm run ops -- cost` says for your traffic is a good
   * start. `stage` counts the stage's own costs, which AWS knows only once the tags `project` and `stage` are
   * cost allocation tags; until then it would count nothing.
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
  /** First attempts later than this are too late; GOV.UK Pay watches the same two. */
  readonly lateAlarm: {
    /** For any single message. */
    readonly single: Duration;
    /** For the average of five minutes. */
    readonly average: Duration;
  };
  /**
   * Keeps the attempts of all messages as files in S3, for SQL over more than `History` holds;
   * docs/archive.md has the price. @default - no archive
   */
  readonly archive?: { readonly retention: Duration };
  /**
   * How a new version of a function takes over: at once, or as a canary that gets a tenth of the work for ten
   * minutes and is rolled back when an alarm goes off.
   */
  readonly rollout: 'at once' | 'canary';
  /**
   * How often a synthetic payment is sent from the bus to a synthetic receiver. @default - only when somebody
   * runs the doctor
   */
  readonly doctorEvery?: Duration;
  /** Whether the stage is deployed to the emulator, which does not support everything that AWS does. */
  readonly emulated: boolean;
  /** Names and certificates of a test. @default - the real ones, as always on AWS */
  readonly testNetwork?: TestNetwork;
}
