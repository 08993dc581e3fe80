import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { COURSE_ATTRIBUTES } from '../../functions/adapters/dynamodb/history/payment-reader.ts';
import { PROGRESS_ATTRIBUTES } from '../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import {
  historyTable,
  orderingKeysTable,
  sequencesTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import { PersonRole } from '../constructs/person-role.ts';
import { ENDPOINT_HEALTH_ATTRIBUTES } from '../endpoint-health-attributes.ts';
import { PARTS, recordName, stageDeployment } from '../recorded-deployment.ts';
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
  /** How the names of the saved queries of logs begin. */
  readonly savedQueryPrefix: string;

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
      description: `Payhooks (${stage.name}): what the person on call sees, and npm run ops -- redrive, stuck and circuits, and switching workers off and on`,
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
      // How far a payment is, and nothing of the events that wait.
      role.readAttributes(data.sequences, ...PROGRESS_ATTRIBUTES);
      role.readLogs(...logsOf(...API_LOGS), api.accessLogs, api.doctor.logGroup);
      if (archive !== undefined) {
        role.readLogs(archive.archive.logGroup);
      }
      this.#allowRunbooks(role, props);
      // Makes links to the console with the rights of the person on call, who sees the same there.
      role.allow(['lambda:InvokeFunction'], api.stageLinks['on-call'].functionArn);
    }
    for (const role of [this.analyst, this.onCall, this.operator, this.eraser]) {
      this.#allowRecord(role, props);
    }
    allowOperating(this.operator, props);
    allowErasing(this.eraser, props);
    this.analyst.allow(['lambda:InvokeFunction'], api.stageLinks.analyst.functionArn);

    this.savedQueryPrefix = `payhooks-${stage.name}/`;
    if (!stage.emulated) {
      for (const { name, text, logs } of SAVED_QUERIES) {
        new CfnQueryDefinition(this, `Query ${name}`, {
          name: `${this.savedQueryPrefix}${name}`,
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

  /** Commands find tables, queues and functions by what the deployment has recorded of itself. */
  #allowRecord(role: PersonRole, { stage, archive }: PeopleStackProps): void {
    const absent = [...(archive === undefined ? ['archive'] : []), ...(stage.loadLab ? [] : ['load-lab'])];
    const pieces = (['settings', ...PARTS] as const).filter((piece) => !absent.includes(piece));
    role.allow(
      ['ssm:GetParameter'],
      ...pieces.map((piece) =>
        this.formatArn({
          service: 'ssm',
          resource: 'parameter',
          resourceName: recordName(stageDeployment(stage.name), piece).slice(1),
        }),
      ),
    );
  }

  /** The state of stacks, and what they consist of. */
  #allowStacks(role: PersonRole, stage: Stage): void {
    role.allowAllOf(
      ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
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
  #allowRunbooks(role: PersonRole, { stage, pipeline, api, archive }: PeopleStackProps): void {
    const { events, deliveries, retryTimers, outcomes, rules } = pipeline;
    const queues = [
      ...[events.queue, events.deadLetters, deliveries.queue, deliveries.deadLetters],
      ...[retryTimers.queue, retryTimers.deadLetters, outcomes.deadLetters, rules.deadLetters],
      ...(archive === undefined ? [] : [archive.changes.deadLetters]),
    ];
    role.allow(['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], ...queues.map(({ queueArn }) => queueArn));
    role.allow(
      ['lambda:GetFunctionConcurrency', 'lambda:GetFunctionConfiguration'],
      ...[pipeline.match, pipeline.deliver, pipeline.wake, pipeline.sweep, pipeline.statistics].map(
        ({ functionArn }) => functionArn,
      ),
      ...[api.api, api.authorize, api.docsPage, api.stageApi, api.doctor].map(
        ({ functionArn }) => functionArn,
      ),
      ...(archive === undefined ? [] : [archive.archive.functionArn]),
    );
    this.#allowStacks(role, stage);
    role.allow(
      ['servicequotas:GetServiceQuota'],
      // The account's concurrency quota.
      this.formatArn({ service: 'servicequotas', resource: 'lambda', resourceName: 'L-B99A9384' }),
    );
    role.allow(
      ['lambda:ListEventSourceMappings', 'lambda:ListFunctions', 'scheduler:ListSchedules', 'sqs:ListQueues'],
      '*',
    );
  }
}
