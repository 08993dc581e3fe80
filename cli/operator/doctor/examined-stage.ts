import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { clientConfig } from '../../stage/local-account.ts';
import { reachable, readOutputs } from '../../stage/local-outputs.ts';
import { inRegionOf } from '../../stage/stage-region.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { type StackState, stackStates } from './stacks/stack-states.ts';

interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** Where a stage is, or will be, and which of its stacks exist. */
export interface StageInAccount {
  readonly settings: Stage;
  readonly accountId: string;
  readonly region: string;
  readonly caller: string;
  readonly stacks: readonly StackState[];
  readonly clients: Clients;
  /** Aborted when the caller wants it to end. */
  readonly signal?: AbortSignal | undefined;
}

/** A stage as the doctor sees it, with the permissions of the caller. */
export interface ExaminedStage extends StageInAccount {
  /** @throws ExplainedError when the stack is not there or does not tell it */
  output(part: string, name: string): string;
  resources(part: string): Promise<readonly StackResource[]>;
  /** The names of the resources of a type; `AWS::` is left out of it. */
  named(part: string, type: string, logicalIdBegins?: string): Promise<readonly string[]>;
  arn(service: string, resource: string): string;
}

export type Clients = ReturnType<typeof clientsOf>;

function clientsOf(config: object) {
  return {
    cloudFormation: new CloudFormationClient(config),
    cloudWatch: new CloudWatchClient(config),
    logs: new CloudWatchLogsClient(config),
    dynamodb: new DynamoDBClient(config),
    eventBridge: new EventBridgeClient(config),
    httpApi: new ApiGatewayV2Client(config),
    iam: new IAMClient(config),
    lambda: new LambdaClient(config),
    sns: new SNSClient(config),
    sqs: new SQSClient(config),
    sts: new STSClient(config),
  };
}

/**
 * Finds the account and the region of a stage, deployed or not, and who asks.
 *
 * @param config of the clients. @default - the caller's credentials, in the region of the stage
 */
export async function stageInAccount(
  name: keyof typeof STAGES,
  { config = inRegionOf(name), signal }: { readonly config?: object; readonly signal?: AbortSignal } = {},
): Promise<StageInAccount> {
  const settings = STAGES[name];
  const clients = clientsOf(config);
  const region = await clients.sts.config.region();
  const { Account: accountId = '', Arn: caller = '' } = await clients.sts.send(
    new GetCallerIdentityCommand(),
  );
  const stacks = await stackStates(clients.cloudFormation, settings);
  return { settings, accountId, region, caller, stacks, clients, signal };
}

/**
 * Finds a stage and who asks.
 *
 * @param outputsFile of a local stack other than the usual one
 * @param as who else asks a local stack than the account's root: the configuration of their clients
 * @throws ExplainedError when the local stack does not run, or nothing of the stage is deployed
 */
export async function examinedStage(
  name: keyof typeof STAGES,
  {
    outputsFile,
    as,
    signal,
  }: { readonly outputsFile?: string | undefined; readonly as?: object; readonly signal?: AbortSignal } = {},
): Promise<ExaminedStage> {
  const endpoint = STAGES[name].emulated ? (await readOutputs(outputsFile)).endpoint : undefined;
  const found = await stageInAccount(name, {
    ...(endpoint === undefined ? {} : { config: as ?? clientConfig(endpoint) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { accountId, region, caller, stacks, clients } = found;
  if (stacks.every(({ status }) => status === undefined)) {
    throw new ExplainedError(
      `Nothing of the stage ${name} is deployed in the account ${accountId} in ${region}. Is that the account and the region? ` +
        `If so: npx cdk deploy --all -c stage=${name}`,
    );
  }
  const [, partition = 'aws'] = caller.split(':');
  const listed = new Map<string, Promise<readonly StackResource[]>>();
  const resources = (part: string) => {
    const known = listed.get(part) ?? listResources(clients.cloudFormation, `payhooks-${name}-${part}`);
    listed.set(part, known);
    return known;
  };
  return {
    ...found,
    resources,
    output(part, output) {
      const stack = stacks.find(({ stackName }) => stackName === `payhooks-${name}-${part}`);
      const value = stack?.outputs[output];
      if (value === undefined) {
        throw new ExplainedError(
          `the stack payhooks-${name}-${part} does not tell ${output}: is another version deployed than the one checked out here?`,
        );
      }
      return endpoint === undefined ? value : onEmulator(value, endpoint);
    },
    async named(part, type, logicalIdBegins = '') {
      return (await resources(part))
        .filter(
          (resource) => resource.type === `AWS::${type}` && resource.logicalId.startsWith(logicalIdBegins),
        )
        .map(({ physicalId }) => physicalId);
    },
    arn: (service, resource) => `arn:${partition}:${service}:${region}:${accountId}:${resource}`,
  };
}

/** The URLs of AWS lead to AWS. */
function onEmulator(value: string, endpoint: string): string {
  return /\.execute-api\./.test(value)
    ? `${reachable('execute-api', value, endpoint)}/$default${new URL(value).pathname}`
    : value;
}

async function listResources(client: CloudFormationClient, StackName: string) {
  const found: StackResource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      found.push({
        type: ResourceType ?? '',
        logicalId: LogicalResourceId ?? '',
        physicalId: PhysicalResourceId ?? '',
      });
    }
  }
  return found;
}
