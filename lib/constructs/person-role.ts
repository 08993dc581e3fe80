import { type Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountPrincipal,
  CompositePrincipal,
  type Conditions,
  type IPrincipal,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/**
 * What the consoles need for their lists. AWS grants these actions on all resources or none. None of them
 * reveals the contents of a table or log.
 */
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
  // These take an id that only the query's starter has; `logs:DescribeQueries`, which lists others' queries,
  // is not granted.
  'logs:GetLogRecord',
  'logs:GetQueryResults',
  'logs:StopQuery',
] as const;

interface PersonRoleProps {
  readonly settings: Settings;
  readonly description: string;
  readonly longestSession: Duration;
}

/**
 * A role for people. Principals of the account may assume it if their own policy allows it and they meet one
 * of the stage's conditions. Everything it may do is granted explicitly.
 */
export class PersonRole extends Role {
  constructor(scope: Construct, id: string, { settings, description, longestSession }: PersonRoleProps) {
    super(scope, id, {
      description,
      assumedBy: peopleOf(Stack.of(scope).account, settings),
      maxSessionDuration: longestSession,
    });
  }

  /** The lists, metrics and results of queries that the consoles show. */
  readLists(): void {
    this.allow(ON_EVERYTHING, '*');
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Lists, metrics and query results have no resources to grant on. Log queries can only be started on named log groups, and a result is read by an id that only its starter has.',
    });
  }

  /** Log events and Logs Insights queries. */
  readLogs(...groups: readonly ILogGroup[]): void {
    this.allow(
      ['logs:FilterLogEvents', 'logs:GetLogGroupFields', 'logs:StartQuery'],
      ...groups.map(({ logGroupArn }) => logGroupArn),
    );
  }

  /** Allows exactly these actions on exactly these resources. */
  allow(actions: readonly string[], ...resources: readonly string[]): void {
    this.allowIf({}, actions, ...resources);
  }

  /** The same, under these conditions. */
  allowIf(conditions: Conditions, actions: readonly string[], ...resources: readonly string[]): void {
    this.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
  }

  /** Like `allow`, on everything that carries the stage's name: `arn` ends with it and a `*`. */
  allowAllOf(actions: readonly string[], arn: string, reason: string): void {
    this.allow(actions, arn);
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${nameInFindings(Stack.of(this).resolve(arn))}]`,
      reason,
    });
  }
}

/** Within a statement all conditions must hold; across statements one match is enough. */
function peopleOf(account: string, { peopleConditions = [{}] }: Settings): IPrincipal {
  const [first, ...others] = peopleConditions.map((conditions) =>
    new AccountPrincipal(account).withConditions(conditions),
  );
  return new CompositePrincipal(first as IPrincipal, ...others);
}

/** cdk-nag writes values known only at deployment as `<AWS::Region>`. */
function nameInFindings(arn: string | { 'Fn::Join': [string, (string | { Ref: string })[]] }): string {
  return typeof arn === 'string'
    ? arn
    : arn['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}
