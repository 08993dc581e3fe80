import {
  Aspects,
  CfnOutput,
  CfnResource,
  RemovalPolicies,
  RemovalPolicy,
  Stack,
  Stage,
  Tags,
  Token,
} from 'aws-cdk-lib';
import type { Dashboard, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type Grant, type IGrantable, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRIC } from '../functions/telemetry/metric-names.ts';
import { EncryptedLogs } from './constructs/data/encrypted-logs.ts';
import { grantPublishing } from './constructs/publishing.ts';
import { grantReading } from './constructs/reading.ts';
import { recordDeployment, valuesOf } from './deployment-record.ts';
import type { EventCatalogue } from './events/event-catalogue.ts';
import type { Severity } from './observability/alarm-topics.ts';
import { metricsOf } from './observability/our-metric.ts';
import { Api } from './parts/api.ts';
import { Archive } from './parts/archive.ts';
import { Data } from './parts/data.ts';
import { LoadLab } from './parts/load-lab.ts';
import { Observability } from './parts/observability.ts';
import { People } from './parts/people.ts';
import { Pipeline } from './parts/pipeline.ts';
import type { PayhooksParts } from './payhooks-parts.ts';
import type { PayhooksProps, PayhooksScopes } from './payhooks-props.ts';
import { isInLocalStack, type Settings, settingsOf } from './settings.ts';

/**
 * What has data that nothing makes again, or an address that partners know. A first deployment that fails
 * takes back what it has made of these, but for tables, which are protected, and buckets, which have to be
 * empty; both need their keys.
 */
const KEPT_TYPES = {
  [RemovalPolicy.RETAIN]: ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket'],
  [RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE]: ['AWS::EC2::EIP', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue'],
} as const;

/** Source: "AWS CloudFormation quotas", AWS CloudFormation User Guide. */
const MAX_RESOURCES = 500;

/**
 * Ordered, signed, observable webhooks for the events of a bus, with an API for those who get them.
 *
 * All of it goes to the stack of its scope, or parts of it elsewhere. Any number of them live in an app and an
 * account: nothing has a fixed name. A stack takes 500 resources, of which one Payhooks is at least 250, and the
 * CDK's metadata one: give a second Payhooks in it `scopes` in another stack.
 */
export class Payhooks extends Construct {
  /** What has to have a name is called `payhooks-` and this. */
  readonly name: string;
  /** Its event types. */
  readonly events: EventCatalogue;
  /** Publish events here. */
  readonly bus: IEventBus;
  /** Ends with a slash. */
  readonly apiUrl: string;
  /** What a record of the own domain leads to. Undefined without `domain`. */
  readonly domainTarget: string | undefined;
  readonly dashboard: Dashboard;
  /** Alarms tell them their start and end. */
  readonly alarmTopics: Readonly<Record<Severity, ITopic>>;
  readonly parts: PayhooksParts;
  readonly #settings: Settings;

  constructor(scope: Construct, id: string, props: PayhooksProps = {}) {
    super(scope, id);
    const settings = settingsOf(this, props);
    this.#settings = settings;
    this.parts = this.#makeParts(settings);
    const { pipeline, api, observability } = this.parts;
    this.name = settings.name;
    this.events = settings.events;
    this.bus = pipeline.bus;
    this.apiUrl = api.url;
    this.domainTarget = api.domain?.regionalDomainName;
    this.dashboard = observability.dashboard;
    this.alarmTopics = observability.topics;
    this.#refuseTwin();
    recordDeployment(this.parts, settings);
    for (const part of Object.values(this.parts)) {
      this.#protect(part, settings);
    }
    this.node.addValidation({ validate: () => this.#faultsOfSize() });
    if (isInLocalStack(this)) {
      const told = { deployment: this.name, parts: valuesOf(this.parts, settings) };
      new CfnOutput(this, 'Local', { value: Stack.of(this).toJsonString(told) });
    }
  }

  #faultsOfSize(): string[] {
    const stacks = new Set(Object.values(this.parts).map((part) => Stack.of(part)));
    return [...stacks].flatMap((stack) => {
      const resources = stack.node
        .findAll()
        .filter((one) => CfnResource.isCfnResource(one) && Stack.of(one) === stack);
      return resources.length <= MAX_RESOURCES
        ? []
        : [
            `stack ${stack.stackName} has ${resources.length} resources, of ${MAX_RESOURCES} at most: use scopes, which put parts of Payhooks into other stacks, such as new Payhooks(stack, '${this.node.id}', { scopes: { observability: new Stack(app, 'Alarms') } })`,
          ];
    });
  }

  /** Lets a principal publish payment events, also one of another account. */
  grantPublish(grantee: IGrantable): Grant {
    return grantPublishing(this.parts.pipeline, this.#settings, grantee);
  }

  /** Lets a principal read what analysts do: messages, attempts and statistics, but no body and no secret. */
  grantRead(grantee: IGrantable): Grant {
    return grantReading(grantee, this.parts.data);
  }

  /** Our own delay: from intake to the start of the first attempt, in ms. @default - the average of five minutes */
  metricTimeToSend(options: MetricOptions = {}): Metric {
    return this.#metric(METRIC.timeToSend, { statistic: 'Average', ...options });
  }

  /** Messages that we gave up after the last retry. @default - the sum of five minutes */
  metricExhausted(options: MetricOptions = {}): Metric {
    return this.#metric(METRIC.messageExhausted, options);
  }

  #metric(name: string, options: MetricOptions): Metric {
    return metricsOf(this.#settings)('deliver', name).with(options);
  }

  #makeParts(settings: Settings): PayhooksParts {
    const { scopes = {} } = settings;
    this.#refuseApart(scopes);
    // None is the id of something in the part: the CDK would leave it out of logical ids, by which commands find it.
    const place = (part: keyof PayhooksScopes, id: string) => this.#place(scopes[part], part, id);
    const data = new Data(...place('data', 'Data'), { settings });
    const pipeline = new Pipeline(...place('pipeline', 'Pipeline'), { settings, data });
    const archive =
      settings.archive &&
      new Archive(...place('archive', 'Archiving'), { settings, data, ...settings.archive });
    const archiveDeadLetters = archive?.changes.deadLetters;
    const api = new Api(...place('api', 'Apis'), { settings, data, pipeline, archiveDeadLetters });
    const loadLab = settings.loadLab
      ? new LoadLab(...place('loadLab', 'LoadLab'), { settings, pipeline })
      : undefined;
    const observability = new Observability(...place('observability', 'Observability'), {
      ...{ settings, data, pipeline, api, archive },
    });
    const parts = {
      ...{ data, pipeline, api, observability },
      ...(archive === undefined ? {} : { archive }),
      ...(loadLab === undefined ? {} : { loadLab }),
    };
    const [peopleScope, peopleId] = place('people', 'People');
    const stacks = [...Object.values(parts), peopleScope].map((part) => Stack.of(part));
    const people = new People(peopleScope, peopleId, {
      ...{ settings, data, pipeline, api, archive, stacks: [...new Set(stacks)] },
      topics: Object.values(observability.topics),
    });
    return { ...parts, people };
  }

  /** @throws when another one of the app would make the same names, or count in the same metrics */
  #refuseTwin(): void {
    const place = ({ parts }: Payhooks) => {
      const stack = Stack.of(parts.data);
      // What is unknown may differ from stage to stage.
      const isKnown = !Token.isUnresolved(stack.account) && !Token.isUnresolved(stack.region);
      return isKnown ? stack.environment : Stage.of(stack);
    };
    for (const other of this.node.root.node.findAll()) {
      // One that was refused has no parts.
      if (!(other instanceof Payhooks && other.parts) || other === this || place(other) !== place(this)) {
        continue;
      }
      for (const prop of ['name', 'metricNamespace'] as const) {
        if (other.#settings[prop] === this.#settings[prop]) {
          throw new Error(
            `${this.node.path}: ${prop} ${JSON.stringify(this.#settings[prop])} is that of ${other.node.path} too, in the same account and region: give each its own, or none`,
          );
        }
      }
    }
  }

  /** @throws when parts would go to several accounts or regions */
  #refuseApart(scopes: PayhooksScopes): void {
    const own = this.node.scopes.some((scope) => Stack.isStack(scope)) ? [['construct', this] as const] : [];
    const [first, ...others] = [...own, ...Object.entries<Construct>({ ...scopes })].map(
      ([name, scope]) => [name, Stack.of(scope)] as const,
    );
    for (const [name, stack] of others) {
      if (first !== undefined && stack.environment !== first[1].environment) {
        throw new Error(
          `scopes.${name}: stack ${stack.stackName} goes to ${stack.environment}, but ${first[1].stackName} to ${first[1].environment}: give both stacks the same env`,
        );
      }
    }
  }

  /** A part alone in its scope is called `Default`, which leaves no trace in the ids of resources. */
  #place(given: Construct | undefined, part: string, id: string): [Construct, string] {
    if (given === undefined) {
      return [this, id];
    }
    if (given.node.tryFindChild('Default') !== undefined) {
      throw new Error(
        `scopes.${part}: ${given.node.path} holds another part already. Give each part a scope of its own: scopes: { ${part}: new Construct(stack, '${id}') }`,
      );
    }
    return [given, 'Default'];
  }

  #protect(part: Construct, settings: Settings): void {
    const { logsKey } = this.parts.data;
    if (logsKey !== undefined) {
      Aspects.of(part).add(new EncryptedLogs(logsKey));
    }
    for (const [policy, types] of Object.entries(KEPT_TYPES)) {
      RemovalPolicies.of(part).apply(settings.keepsData ? (policy as RemovalPolicy) : RemovalPolicy.DESTROY, {
        applyToResourceTypes: [...types],
      });
    }
    if (settings.permissionsBoundary !== undefined) {
      PermissionsBoundary.of(part).apply(settings.permissionsBoundary);
    }
    for (const [name, value] of Object.entries(settings.tags ?? {})) {
      Tags.of(part).add(name, value);
    }
  }
}
