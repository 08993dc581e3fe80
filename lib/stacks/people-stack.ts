import { type ArnComponents, ArnFormat, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { COURSE_ATTRIBUTES } from '../../functions/adapters/dynamodb/history/payment-reader.ts';
import { PROGRESS_ATTRIBUTES } from '../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { SEEN_OF_STUCK } from '../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import {
  historyTable,
  orderingKeysTable,
  sequencesTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import { PersonRole } from '../constructs/person-role.ts';
import { ENDPOINT_HEALTH_ATTRIBUTES } from '../endpoint-health-attributes.ts';
import { API_LOGS, type LogSource, PIPELINE_LOGS, SAVED_QUERIES } from '../saved-queries.ts';
import type { Stage } from '../stage.ts';
import type { ApiStack } from './api-stack.ts';
import type { ArchiveStack } from './archive-stack.ts';
import type { DataStack } from './data-stack.ts';
import { allowErasing, allowOperating } from './people/operating.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface PeopleStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
  readonly api: ApiStack;
  /** Undefined where the stage has none. */
  readonly archive: ArchiveStack | undefined;
}

/**
 * Roles for the people around a stage, and saved queries. Analysts and the person on call only look, and see
 * neither bodies, secrets nor tokens; the operator also acts; erasing personal data takes a role of its own.
 */
export class PeopleStack extends Stack {
  readonly analyst: PersonRole;
  readonly onCall: PersonRole;
  readonly operator: PersonRole;
  readonly eraser: PersonRole;

  constructor(scope: Construct, id: string, props: PeopleStackProps) {
    super(scope, id, props);
    const { stage, data, pipeline, api, archive } = props;
    const { match, deliver, wake, sweep, statistics } = pipeline;
    const functions: Readonly<Record<LogSource, ServiceFunction>> = {
      ...{ match, deliver, wake, sweep, statistics },
      ...{ api: api.api, authorize: api.authorize, 'docs-page': api.docsPage },
      ...{ 'stage-api': api.stageApi },
    };
    const logsOf = (...sources: readonly LogSource[]) => sources.map((source) => functions[source].logGroup);

    this.analyst = new PersonRole(this, 'AnalystRole', {
      stage,
      description: `Payhooks (${stage.name}): reads the history through indexes without bodies, endpoint health, statistics and logs`,
      longestSession: Duration.hours(8),
    });
    this.onCall = new PersonRole(this, 'OnCallRole', {
      stage,
      description: `Payhooks (${stage.name}): reads what the runbooks look at, without bodies, secrets and tokens; changes nothing but circuits, in the console`,
      longestSession: Duration.hours(12),
    });
    this.operator = new PersonRole(this, 'OperatorRole', {
      stage,
      description: `Payhooks (${stage.name}): what the person on call sees, and npm run ops -- redrive, discard, stuck and circuits, and switching workers off and on`,
      longestSession: Duration.hours(4),
    });
    this.eraser = new PersonRole(this, 'ErasureRole', {
      stage,
      description: `Payhooks (${stage.name}): npm run ops -- personal-data, which reads and erases whole events`,
      longestSession: Duration.hours(1),
    });
    for (const role of [this.analyst, this.onCall, this.operator]) {
      role.readLists();
      role.readIndexes(data.history, historyTable.bySubscription);
      role.readSparseIndex(data.history, historyTable.undelivered);
      // What happened to a payment: neither bodies nor answers.
      role.readAttributes(data.history, ...COURSE_ATTRIBUTES);
      role.readTable(data.statistics);
      role.readIndexes(
        data.orderingKeys,
        orderingKeysTable.backlog,
        orderingKeysTable.due,
        orderingKeysTable.stuck,
      );
      role.readIndexes(data.subscriptions, subscriptionsTable.due);
      role.readAttributes(data.subscriptions, ...ENDPOINT_HEALTH_ATTRIBUTES);
      role.readIndexes(data.sequences, sequencesTable.due, sequencesTable.stuck);
      data.allowDataKey(role, { tables: 'reading' });
      role.readLogs(...logsOf(...PIPELINE_LOGS));
      role.allow(
        ['cloudwatch:GetDashboard'],
        this.formatArn({
          service: 'cloudwatch',
          region: '',
          resource: 'dashboard',
          resourceName: `payhooks-${stage.name}`,
        }),
      );
    }
    if (archive !== undefined) {
      this.analyst.addManagedPolicy(archive.querying);
    }
    for (const role of [this.onCall, this.operator]) {
      role.readTable(data.orderingKeys);
      // How far a payment is, and of the events that wait nothing that they say.
      role.readAttributes(data.sequences, ...new Set([...PROGRESS_ATTRIBUTES, ...SEEN_OF_STUCK]));
      role.readLogs(...logsOf(...API_LOGS), api.accessLogs, api.doctor.logGroup);
      if (archive !== undefined) {
        role.readLogs(archive.archive.logGroup);
      }
      this.#allowRunbooks(role, props);
      this.#allowDoctor(role, props);
      // Makes links to the console with the rights of the person on call, who sees the same there.
      role.allow(['lambda:InvokeFunction'], api.stageLinks['on-call'].functionArn);
    }
    allowOperating(this.operator, props);
    this.#allowOutputs(this.eraser, stage, ['cloudformation:DescribeStacks']);
    allowErasing(this.eraser, props);
    this.analyst.allow(['lambda:InvokeFunction'], api.stageLinks.analyst.functionArn);

    if (!stage.emulated) {
      for (const { name, text, logs } of SAVED_QUERIES) {
        new CfnQueryDefinition(this, `Query ${name}`, {
          name: `payhooks-${stage.name}/${name}`,
          queryString: text.join('\n| '),
          logGroupNames: logsOf(...logs).map(({ logGroupName }) => logGroupName),
        });
      }
    }
    new CfnOutput(this, 'AnalystRoleArn', { value: this.analyst.roleArn });
    new CfnOutput(this, 'OnCallRoleArn', { value: this.onCall.roleArn });
    new CfnOutput(this, 'OperatorRoleArn', { value: this.operator.roleArn });
    new CfnOutput(this, 'ErasureRoleArn', { value: this.eraser.roleArn });
  }

  /** Names of tables and queues are outputs of stacks. */
  #allowOutputs(role: PersonRole, stage: Stage, actions: readonly string[]): void {
    role.allowAllOf(
      actions,
      this.formatArn({
        service: 'cloudformation',
        resource: 'stack',
        resourceName: `payhooks-${stage.name}-*`,
      }),
      "All stacks of the stage, and no other: their names start with the stage's, and CloudFormation appends a random id.",
    );
  }

  /**
   * What the "Look" sections of docs/operations.md need besides tables, metrics and logs. Queues are counted,
   * never received from: their records hold bodies.
   */
  #allowRunbooks(role: PersonRole, { stage, pipeline, archive }: PeopleStackProps): void {
    const { events, deliveries, retryTimers, outcomes, rules, unclaimed } = pipeline;
    const queues = [
      unclaimed.queue,
      ...[events.queue, events.deadLetters, deliveries.queue, deliveries.deadLetters],
      ...[retryTimers.queue, retryTimers.deadLetters, outcomes.deadLetters, rules.deadLetters],
      ...(archive === undefined ? [] : [archive.changes.deadLetters]),
    ];
    role.allow(['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], ...queues.map(({ queueArn }) => queueArn));
    this.#allowOutputs(role, stage, ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources']);
    role.allow(
      ['servicequotas:GetServiceQuota'],
      // The account's concurrency quota.
      this.formatArn({ service: 'servicequotas', resource: 'lambda', resourceName: 'L-B99A9384' }),
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
  #allowDoctor(role: PersonRole, { stage, api }: PeopleStackProps): void {
    const named = `payhooks-${stage.name}-*`;
    const ofTheStage = (actions: readonly string[], parts: ArnComponents) =>
      role.allowAllOf(
        actions,
        this.formatArn(parts),
        "All of the stage, and no others: CloudFormation names them after the stage's stacks. These actions read settings.",
      );
    ofTheStage(
      ['GetAlias', 'GetFunctionConcurrency', 'GetFunctionConfiguration', 'GetFunctionRecursionConfig'].map(
        (action) => `lambda:${action}`,
      ),
      {
        service: 'lambda',
        resource: 'function',
        resourceName: named,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      },
    );
    ofTheStage(['dynamodb:DescribeContinuousBackups', 'dynamodb:DescribeTimeToLive'], {
      service: 'dynamodb',
      resource: 'table',
      resourceName: named,
    });
    ofTheStage(['iam:SimulatePrincipalPolicy'], {
      service: 'iam',
      region: '',
      resource: 'role',
      resourceName: named,
    });
    ofTheStage(['sns:ListSubscriptionsByTopic'], { service: 'sns', resource: named });
    const apis = this.formatArn({ service: 'apigateway', account: '', resource: '/apis' });
    role.allow(['apigateway:GET'], apis, `${apis}/${api.httpApi.apiId}/stages`);
  }
}
