import type { SQSRecord } from 'aws-lambda';
import type { Delay } from '../adapters/sqs/redelivery-queue.ts';
import { comeBacks } from '../core/ordering/redelivery.ts';

/**
 * The records of a batch that are redelivered. Each is made visible once, perhaps long before its batch ends:
 * from then on another worker may have it, so its old receipt is not used any more. Lambda leaves a record
 * alone that a batch reports as failed, whatever its visibility. Source: "Handling errors for an SQS event
 * source", AWS Lambda Developer Guide.
 */
export class GivenBack {
  readonly #records: readonly SQSRecord[];
  readonly #comeBack: (delays: readonly Delay[]) => Promise<ReadonlySet<string>>;
  readonly #ids = new Set<string>();
  readonly #groups = new Set<string>();
  /** Receipts of those that SQS has yet to make visible. */
  #hidden: ReadonlySet<string> = new Set();

  /** @param comeBack never rejects, and answers the receipts of those for which it failed */
  constructor(
    records: readonly SQSRecord[],
    comeBack: (delays: readonly Delay[]) => Promise<ReadonlySet<string>>,
  ) {
    this.#records = records;
    this.#comeBack = comeBack;
  }

  /** In the order in which they were received. */
  get ids(): string[] {
    return this.#records.map(({ messageId }) => messageId).filter((id) => this.#ids.has(id));
  }

  has(recordId: string): boolean {
    return this.#ids.has(recordId);
  }

  /** Whether one of its group is redelivered: then it must not be handled before that. */
  hasGroupOf({ attributes: { MessageGroupId: group } }: SQSRecord): boolean {
    return group !== undefined && this.#groups.has(group);
  }

  /** Makes records visible again in seconds. What failed before is tried once more. Never rejects. */
  async giveBack(recordIds: readonly string[]): Promise<void> {
    const some = this.#records.filter(
      ({ messageId, receiptHandle }) =>
        this.#hidden.has(receiptHandle) || (recordIds.includes(messageId) && !this.#ids.has(messageId)),
    );
    for (const { messageId, attributes } of some) {
      this.#ids.add(messageId);
      if (attributes.MessageGroupId !== undefined) {
        this.#groups.add(attributes.MessageGroupId);
      }
    }
    this.#hidden = new Set();
    if (some.length === 0) {
      return;
    }
    const delays = comeBacks(
      some.map(({ messageId, attributes }) => ({
        recordId: messageId,
        group: attributes.MessageGroupId,
        receiveCount: Number(attributes.ApproximateReceiveCount),
      })),
    );
    const hidden = await this.#comeBack(
      delays.map(({ seconds }, index) => ({ receipt: (some[index] as SQSRecord).receiptHandle, seconds })),
    );
    this.#hidden = new Set([...this.#hidden, ...hidden]);
  }
}
