import { Duration, Stack } from 'aws-cdk-lib';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { PROGRESS_ATTRIBUTES } from '../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { SEEN_OF_STUCK } from '../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { PersonRole } from '../constructs/person-role.ts';
import { grantReading, readAttributes, readTable, readWantedTypes } from '../constructs/reading.ts';
import { dashboardNameOf } from '../observability/dashboard/dashboard.ts';
import { PARTS, recordName, stageDeployment } from '../recorded-deployment.ts';
import { API_LOGS, type LogSource, PIPELINE_LOGS, SAVED_QUERIES } from '../saved-queries.ts';
import type { Settings } from '../settings.ts';
import type { Api } from './api.ts';
import type { Archive } from './archive.ts';
import type { Data } from './data.ts';
import { allowErasing, allowOperating } from './people/operating.ts';
import type { Pipeline } from './pipeline.ts';

interface PeopleProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
  readonly api: Api;
  /** Undefined where there is none. */
  readonly archive: Archive | undefined;
  /** Those of all parts. */
  readonly stacks: readonly Stack[];
  /** Whom alarms tell. */
  readonly topics: readonly ITopic[];
}

/**
 * Roles for the people around a deployment, and saved queries. Analysts and the person on call only look, and see
 * neither bodies, secrets nor tokens; the operator also acts; erasing personal data takes a role of its own.
 */
export class People extends Construct {
  readonly analyst: PersonRole;
  readonly onCall: PersonRole;
  readonly operator: PersonRole;
  readonly eraser: PersonRole;
  /** How the names of the saved queries of logs begin. */
  readonly savedQueryPrefix: string;

  constructor(scope: Construct, id: string, props: PeopleProps) {
    super(scope, id);
    const { settings, data, pipeline, api, archive } = props;
    const { match, deliver, wake, sweep, statistics } = pipeline;
    const functions: Readonly<Record<LogSource, ServiceFunction>> = {
      ...{ match, deliver, wake, sweep, statistics },
      ...{ api: api.api, authorize: api.authorize, 'docs-page': api.docsPage },
      ...{ feed: api.feed, 'stage-api': api.stageApi },
    };
    const logsOf = (...sources: readonly LogSource[]) => sources.map((source) => functions[source].logGroup);

    this.analyst = new PersonRole(this, 'AnalystRole', {
      settings,
      description: `Payhooks (${settings.name}): reads the history through indexes without bodies, endpoint health, statistics and logs`,
      longestSession: Duration.hours(8),
    });
    this.onCall = new PersonRole(this, 'OnCallRole', {
      settings,
      description: `Payhooks (${settings.name}): reads what the runbooks look at, without bodies, secrets and tokens; changes nothing but circuits, in the console`,
      longestSession: Duration.hours(12),
    });
    this.operator = new PersonRole(this, 'OperatorRole', {
      settings,
      description: `Payhooks (${settings.name}): what the person on call sees, and npm run ops -- redrive, discard, stuck, circuits and stage-keys, and switching workers off and on`,
      longestSession: Duration.hours(4),
    });
    this.eraser = new PersonRole(this, 'ErasureRole', {
      settings,
      description: `Payhooks (${settings.name}): npm run ops -- personal-data, which reads and erases whole events`,
      longestSession: Duration.hours(1),
    });
    for (const role of [this.analyst, this.onCall, this.operator]) {
      role.readLists();
      grantReading(role, data);
      role.readLogs(...logsOf(...PIPELINE_LOGS));
      role.allow(
        ['cloudwatch:GetDashboard'],
        Stack.of(this).formatArn({
          service: 'cloudwatch',
          region: '',
          resource: 'dashboard',
          resourceName: dashboardNameOf(settings),
        }),
      );
    }
    if (archive !== undefined) {
      this.analyst.addManagedPolicy(archive.querying);
    }
    for (const role of [this.onCall, this.operator]) {
      readTable(role, data.orderingKeys);
      readWantedTypes(role, data);
      // How far a payment is, and of the events that wait nothing that they say.
      readAttributes(role, data.sequences, ...new Set([...PROGRESS_ATTRIBUTES, ...SEEN_OF_STUCK]));
      role.readLogs(...logsOf(...API_LOGS), api.accessLogs, api.doctor.logGroup);
      if (archive !== undefined) {
        role.readLogs(archive.archive.logGroup);
      }
      this.#allowRunbooks(role, props);
      this.#allowDoctor(role, props);
      // Makes links to the console with the rights of the person on call, who sees the same there.
      role.allow(['lambda:InvokeFunction'], api.stageLinks['on-call'].functionArn);
    }
    for (const role of [this.analyst, this.onCall, this.operator, this.eraser]) {
      this.#allowRecord(role, props);
    }
    allowOperating(this.operator, props);
    allowErasing(this.eraser, props);
    this.analyst.allow(['lambda:InvokeFunction'], api.stageLinks.analyst.functionArn);

    this.savedQueryPrefix = `payhooks-${settings.name}/`;
    if (!settings.emulated) {
      for (const { name, text, logs } of SAVED_QUERIES) {
        new CfnQueryDefinition(this, `Query ${name}`, {
          name: `${this.savedQueryPrefix}${name}`,
          queryString: text.join('\n| '),
          logGroupNames: logsOf(...logs).map(({ logGroupName }) => logGroupName),
        });
      }
    }
  }

  /** Commands find tables, queues and functions by what the deployment has recorded of itself. */
  #allowRecord(role: PersonRole, { settings, archive }: PeopleProps): void {
    const absent = [...(archive === undefined ? ['archive'] : []), ...(settings.loadLab ? [] : ['load-lab'])];
    const pieces = (['settings', ...PARTS] as const).filter((piece) => !absent.includes(piece));
    role.allow(
      ['ssm:GetParameter'],
      ...pieces.map((piece) =>
        Stack.of(this).formatArn({
          service: 'ssm',
          resource: 'parameter',
          resourceName: recordName(stageDeployment(settings.name), piece).slice(1),
        }),
      ),
    );
  }

  /** The state of stacks, and what they consist of. */
  #allowStacks(role: PersonRole, { stacks }: PeopleProps): void {
    for (const { stackName } of stacks) {
      role.allowAllOf(
        ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
        Stack.of(this).formatArn({
          service: 'cloudformation',
          resource: 'stack',
          resourceName: `${stackName}/*`,
        }),
        'One stack: CloudFormation appends a random id to its name.',
      );
    }
  }

  /**
   * What the "Look" sections of docs/operations.md need besides tables, metrics and logs. Queues are counted,
   * never received from: their records hold bodies.
   */
  #allowRunbooks(role: PersonRole, props: PeopleProps): void {
    const { pipeline, archive, api } = props;
    const { events, deliveries, retryTimers, outcomes, rules, unclaimed } = pipeline;
    const queues = [
      unclaimed.queue,
      ...[events.queue, events.deadLetters, deliveries.queue, deliveries.deadLetters],
      ...[retryTimers.queue, retryTimers.deadLetters, outcomes.deadLetters, rules.deadLetters],
      ...(archive === undefined ? [] : [archive.changes.deadLetters]),
      ...(api.notices === undefined ? [] : [api.notices.deadLetters]),
    ];
    role.allow(['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], ...queues.map(({ queueArn }) => queueArn));
    this.#allowStacks(role, props);
    role.allow(
      ['servicequotas:GetServiceQuota'],
      // The account's concurrency quota.
      Stack.of(this).formatArn({ service: 'servicequotas', resource: 'lambda', resourceName: 'L-B99A9384' }),
    );
    role.allow(
      [
        ...['lambda:GetAccountSettings', 'lambda:ListEventSourceMappings', 'lambda:ListFunctions'],
        ...['events:ListRules', 'scheduler:ListSchedules', 'sqs:ListQueues'],
      ],
      '*',
    );
  }

  /** What the doctor's checks need besides, but for its synthetic payment: how things are set. */
  #allowDoctor(role: PersonRole, { data, pipeline, api, archive, topics }: PeopleProps): void {
    const functions = [pipeline, api, ...(archive === undefined ? [] : [archive])]
      .flatMap((part) => part.node.findAll())
      .filter((one) => one instanceof ServiceFunction);
    role.allow(
      ['GetAlias', 'GetFunctionConcurrency', 'GetFunctionConfiguration', 'GetFunctionRecursionConfig'].map(
        (action) => `lambda:${action}`,
      ),
      ...functions.map(({ functionArn }) => functionArn),
    );
    role.allow(
      ['iam:SimulatePrincipalPolicy'],
      ...functions.flatMap((one) => (one.role === undefined ? [] : [one.role.roleArn])),
    );
    role.allow(
      ['dynamodb:DescribeContinuousBackups', 'dynamodb:DescribeTimeToLive'],
      ...data.node
        .findAll()
        .filter((one) => one instanceof Table)
        .map(({ tableArn }) => tableArn),
    );
    role.allow(['sns:ListSubscriptionsByTopic'], ...topics.map(({ topicArn }) => topicArn));
    const apis = Stack.of(this).formatArn({ service: 'apigateway', account: '', resource: '/apis' });
    role.allow(['apigateway:GET'], apis, `${apis}/${api.httpApi.apiId}/stages`);
  }
}
