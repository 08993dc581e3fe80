import { type Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  AccountPrincipal,
  CompositePrincipal,
  Effect,
  type IPrincipal,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

/** What CloudWatch's and the consoles' lists need, and what AWS grants on everything or not at all. None of it tells what a table or a log holds. */
const ON_EVERYTHING = [
  'cloudwatch:DescribeAlarmHistory',
  'cloudwatch:DescribeAlarms',
  'cloudwatch:DescribeAlarmsForMetric',
  'cloudwatch:GetMetricData',
  'cloudwatch:GetMetricStatistics',
  'cloudwatch:ListDashboards',
  'cloudwatch:ListMetrics',
  'dynamodb:ListTables',
  'logs:DescribeLogGroups',
  'logs:DescribeQueryDefinitions',
  // By ids that only whoever has started a query knows: without logs:DescribeQueries nobody sees another's.
  'logs:GetLogRecord',
  'logs:GetQueryResults',
  'logs:StopQuery',
] as const;

interface ReaderRoleProps {
  readonly stage: Stage;
  readonly description: string;
  readonly longestSession: Duration;
}

/** A role of people: whom their own policy lets take it, principals of the account, on one of the stage's conditions. It reads what it is granted, and changes nothing. */
export class ReaderRole extends Role {
  constructor(scope: Construct, id: string, { stage, description, longestSession }: ReaderRoleProps) {
    super(scope, id, {
      description,
      assumedBy: peopleOf(Stack.of(scope).account, stage),
      maxSessionDuration: longestSession,
    });
    this.allow(ON_EVERYTHING, '*');
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Lists, metrics and results of queries have no resources to grant them on; a query of logs is started on log groups that are named, and its results are known by an id that only its starter has.',
    });
  }

  /** By keys, in the console, by the CLI or by PartiQL; never by reading all of it. */
  readTable(table: Table): void {
    this.#read(table, ['dynamodb:GetItem', 'dynamodb:Query'], table.tableArn);
  }

  /** By the keys of these indexes, which hold no more than they carry: the table itself stays closed. */
  readIndexes(table: Table, ...indexes: readonly string[]): void {
    this.#read(table, ['dynamodb:Query'], ...indexes.map((index) => `${table.tableArn}/index/${index}`));
  }

  /** These attributes of items that are found by their keys, and only when no others are asked for. */
  readAttributes(table: Table, ...attributes: readonly string[]): void {
    this.allow(['dynamodb:DescribeTable'], table.tableArn);
    this.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:GetItem', 'dynamodb:Query'],
        resources: [table.tableArn],
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        },
      }),
    );
  }

  /** Line by line, and by queries. */
  readLogs(...groups: readonly ILogGroup[]): void {
    this.allow(
      ['logs:FilterLogEvents', 'logs:GetLogGroupFields', 'logs:StartQuery'],
      ...groups.map(({ logGroupArn }) => logGroupArn),
    );
  }

  /** Lets people take exactly these actions on exactly these resources. */
  allow(actions: readonly string[], ...resources: readonly string[]): void {
    this.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  }

  /** The same on everything that bears the stage's name: `arn` ends with it and a `*`. */
  allowAllOf(actions: readonly string[], arn: string, reason: string): void {
    this.allow(actions, arn);
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${nameInFindings(Stack.of(this).resolve(arn))}]`,
      reason,
    });
  }

  #read(table: Table, actions: readonly string[], ...resources: readonly string[]): void {
    this.allow(['dynamodb:DescribeTable'], table.tableArn);
    this.allow([...actions, 'dynamodb:PartiQLSelect'], ...resources);
    // A statement without the partition key would read the whole of it, at its price.
    this.addToPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: ['dynamodb:PartiQLSelect'],
        resources: [...resources],
        conditions: { Bool: { 'dynamodb:FullTableScan': 'true' } },
      }),
    );
  }
}

/** Conditions of one statement all have to hold; of statements, one is enough. */
function peopleOf(account: string, { peopleConditions = [{}] }: Stage): IPrincipal {
  const [first, ...others] = peopleConditions.map((conditions) =>
    new AccountPrincipal(account).withConditions(conditions),
  );
  return new CompositePrincipal(first as IPrincipal, ...others);
}

/** cdk-nag names what is only known at deployment as `<AWS::Region>`. */
function nameInFindings(arn: string | { 'Fn::Join': [string, (string | { Ref: string })[]] }): string {
  return typeof arn === 'string'
    ? arn
    : arn['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}
