import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';

interface IndexProps {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** What the index carries besides the keys: with `none` it is written only when an item comes, goes or moves. */
  readonly attributes: readonly string[] | 'all' | 'none';
}

interface TableProps {
  readonly stage: Stage;
  readonly partitionKey: string;
  /** @default - none */
  readonly sortKey?: string;
  /** Attribute with the second, since 1970, after which an item may go. @default - items stay */
  readonly timeToLive?: string;
  /** @default - a key that AWS owns */
  readonly encryptionKey?: IKey;
  /** Whether each change of an item can be followed, with the item as it was and as it is. @default false */
  readonly hasStream?: boolean;
  /** @default - none */
  readonly indexes?: readonly IndexProps[];
}

/**
 * How many attributes an index may carry besides its keys, and all indexes of a table together. CloudFormation says so only in the middle of a deployment.
 * Sources: "Projection", Amazon DynamoDB API Reference; "Service, account, and table quotas in Amazon DynamoDB", Amazon DynamoDB Developer Guide.
 */
const MAX_CARRIED = { byIndex: 20, byTable: 100 } as const;

/**
 * An on-demand table of string keys that is kept as the stage keeps its data.
 *
 * @throws when its indexes carry more attributes than DynamoDB allows
 */
export function table(scope: Construct, id: string, props: TableProps): Table {
  const { stage } = props;
  refuseTooMuchCarried(id, props.indexes ?? []);
  const made = new Table(scope, id, {
    partitionKey: text(props.partitionKey),
    ...(props.sortKey === undefined ? {} : { sortKey: text(props.sortKey) }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...(props.timeToLive === undefined ? {} : { timeToLiveAttribute: props.timeToLive }),
    ...(props.encryptionKey === undefined
      ? {}
      : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: props.encryptionKey }),
    ...(props.hasStream ? { stream: StreamViewType.NEW_AND_OLD_IMAGES } : {}),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: stage.keepsData,
    removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  for (const index of props.indexes ?? []) {
    made.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      ...projectionOf(index.attributes),
    });
  }
  return made;
}

function refuseTooMuchCarried(id: string, indexes: readonly IndexProps[]): void {
  const carried = indexes.map(({ name, attributes }) => ({
    name,
    count: typeof attributes === 'string' ? 0 : attributes.length,
  }));
  for (const { name, count } of carried) {
    if (count > MAX_CARRIED.byIndex) {
      throw new Error(
        `the index ${name} of ${id} carries ${count} attributes: DynamoDB allows ${MAX_CARRIED.byIndex}; leave some out, or carry all of the item`,
      );
    }
  }
  const total = carried.reduce((sum, { count }) => sum + count, 0);
  if (total > MAX_CARRIED.byTable) {
    throw new Error(
      `the indexes of ${id} carry ${total} attributes together: DynamoDB allows ${MAX_CARRIED.byTable}`,
    );
  }
}

function projectionOf(attributes: IndexProps['attributes']) {
  switch (attributes) {
    case 'all':
      return { projectionType: ProjectionType.ALL };
    case 'none':
      return { projectionType: ProjectionType.KEYS_ONLY };
    default:
      return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
  }
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}
