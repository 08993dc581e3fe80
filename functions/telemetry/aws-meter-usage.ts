/** What a call has used of AWS, under the names of the function's environment variables. */
export interface Usage {
  readonly queue_requests: Readonly<Record<string, number>>;
  readonly events: number;
  readonly write_units: Readonly<Record<string, number>>;
  readonly read_units: Readonly<Record<string, number>>;
}

const NO_USAGE: Usage = { queue_requests: {}, events: 0, write_units: {}, read_units: {} };

/** SQS and EventBridge bill each 64 KB chunk of a payload as one. */
const CHUNK_BYTES = 64 * 1024;

/** Consumed capacity as DynamoDB returns it with `INDEXES`. */
interface Capacity {
  readonly TableName?: string;
  readonly CapacityUnits?: number;
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

const READING = /^(?:Get|BatchGet|TransactGet)Items?$|^(?:Query|Scan)$/;

/**
 * @param operation such as `PutItem`
 * @param nameOf the environment variable of a table or queue, by its name or URL
 */
export function usageOf(
  service: string,
  operation: string,
  input: object,
  output: object,
  nameOf: (resource: string) => string,
): Usage {
  switch (service) {
    case 'dynamodb': {
      const units = unitsOf(Reflect.get(output, 'ConsumedCapacity'), nameOf);
      return { ...NO_USAGE, [READING.test(operation) ? 'read_units' : 'write_units']: units };
    }
    case 'sqs':
      return {
        ...NO_USAGE,
        queue_requests: { [nameOf(Reflect.get(input, 'QueueUrl'))]: chunks(sizeOf(input)) },
      };
    case 'eventbridge':
      return {
        ...NO_USAGE,
        events: list<{ Detail?: string }>(Reflect.get(input, 'Entries')).reduce(
          (sum, { Detail = '' }) => sum + chunks(Buffer.byteLength(Detail)),
          0,
        ),
      };
    default:
      return NO_USAGE;
  }
}

/** A transaction does not return the table's own share, so it is the total minus the indexes. */
function unitsOf(consumed: unknown, nameOf: (resource: string) => string): Record<string, number> {
  const units: Record<string, number> = {};
  for (const { TableName = '', CapacityUnits = 0, GlobalSecondaryIndexes = {} } of list<Capacity>(consumed)) {
    const table = nameOf(TableName);
    let own = CapacityUnits;
    for (const [index, { CapacityUnits: some = 0 }] of Object.entries(GlobalSecondaryIndexes)) {
      add(units, `${table}.${index}`, some);
      own -= some;
    }
    add(units, table, own);
  }
  return units;
}

interface Sent {
  readonly MessageBody?: string;
  readonly MessageAttributes?: Readonly<
    Record<string, { readonly StringValue?: string; readonly DataType?: string }>
  >;
}

/** The bytes that a call sends; 0 if it sends none. */
function sizeOf(input: object): number {
  const entries: readonly Sent[] = Reflect.get(input, 'Entries') ?? [input];
  return entries.reduce((sum, { MessageBody = '', MessageAttributes = {} }) => {
    const attributes = Object.entries(MessageAttributes).map(
      ([name, { StringValue = '', DataType = '' }]) => name + StringValue + DataType,
    );
    return sum + Buffer.byteLength(MessageBody) + Buffer.byteLength(attributes.join(''));
  }, 0);
}

function chunks(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / CHUNK_BYTES));
}

function list<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value as T];
}

export function add(counts: Record<string, number>, name: string, by: number): void {
  if (by !== 0) {
    counts[name] = (counts[name] ?? 0) + by;
  }
}
