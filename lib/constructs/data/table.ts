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
import type { Settings } from '../../settings.ts';

interface IndexProps {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Projected attributes. With `none`, updates that leave the index keys alone do not write the index. */
  readonly attributes: readonly string[] | 'all' | 'none';
  /** Whether few items of a busy table ever get there: then it stays cold. @default false */
  readonly isRare?: boolean;
}

interface TableProps {
  readonly settings: Settings;
  readonly partitionKey: string;
  /** @default - none */
  readonly sortKey?: string;
  /** Attribute that holds the expiry time, in seconds since 1970. @default - items stay */
  readonly timeToLive?: string;
  /** @default - a key that AWS owns */
  readonly encryptionKey?: IKey;
  /** Whether the table has a stream with old and new images. @default false */
  readonly hasStream?: boolean;
  /** Whether each message or numbered event writes it: then it is warmed as the stage says. @default false */
  readonly isBusy?: boolean;
  /** @default - none */
  readonly indexes?: readonly IndexProps[];
}

/**
 * The most attributes projected by one index, and by all indexes of a table. CloudFormation reports a
 * violation only in the middle of a deployment.
 * Sources: "Projection", Amazon DynamoDB API Reference; "Service, account, and table quotas in Amazon
 * DynamoDB", Amazon DynamoDB Developer Guide.
 */
const MAX_PROJECTED = { perIndex: 20, perTable: 100 } as const;

/**
 * An on-demand table with string keys. The stage decides how well it is protected against deletion.
 *
 * @throws when its indexes project more attributes than DynamoDB allows
 */
export function table(scope: Construct, id: string, props: TableProps): Table {
  const { settings } = props;
  refuseTooManyProjected(id, props.indexes ?? []);
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
    ...warm(props),
    deletionProtection: settings.keepsData,
  });
  for (const index of props.indexes ?? []) {
    made.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      ...projectionOf(index.attributes),
      ...(index.isRare ? {} : warm(props)),
    });
  }
  return made;
}

/** Of a table, or of an index that gets the load: when it pushes back, its table refuses writes. */
function warm({ isBusy = false, settings: { warmThroughput } }: TableProps) {
  return !isBusy || warmThroughput === undefined
    ? {}
    : {
        warmThroughput: {
          writeUnitsPerSecond: warmThroughput.writesPerSecond,
          readUnitsPerSecond: warmThroughput.readsPerSecond,
        },
      };
}

function refuseTooManyProjected(id: string, indexes: readonly IndexProps[]): void {
  const projected = indexes.map(({ name, attributes }) => ({
    name,
    count: typeof attributes === 'string' ? 0 : attributes.length,
  }));
  for (const { name, count } of projected) {
    if (count > MAX_PROJECTED.perIndex) {
      throw new Error(
        `index ${name} of ${id} projects ${count} attributes, DynamoDB allows ${MAX_PROJECTED.perIndex}: remove some, or project the whole item`,
      );
    }
  }
  const total = projected.reduce((sum, { count }) => sum + count, 0);
  if (total > MAX_PROJECTED.perTable) {
    throw new Error(
      `the indexes of ${id} project ${total} attributes in total, DynamoDB allows ${MAX_PROJECTED.perTable}`,
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
