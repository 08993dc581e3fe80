import { historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import { type PastPage, pastMessageSchema, type Recovery } from '../../../functions/core/message/recovery.ts';
import type { Tables } from './tables.ts';

/** Fewer than the adapter's: a step of a recovery takes a hundred of them. */
const PAGE = 150;

/** What had ended before time began, by subscription and admission: what recoveries look through. */
export class PastMessages {
  readonly #tables: Tables;
  readonly #laid = new Map<string, Pick<MessageRecord, 'message_id' | 'admitted_at'>[]>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** In the order of admission, no two at the same instant. */
  add({ subscription_id, message_id, admitted_at }: MessageRecord): void {
    const laid = this.#laid.get(subscription_id) ?? [];
    this.#laid.set(subscription_id, laid);
    laid.push({ message_id, admitted_at });
  }

  /** How these messages stand by now. */
  page({
    subscription_id,
    continue_at,
    until,
  }: Pick<Recovery, 'subscription_id' | 'continue_at' | 'until'>): PastPage {
    const rest = (this.#laid.get(subscription_id) ?? []).filter(
      ({ admitted_at }) => admitted_at >= continue_at && admitted_at < until,
    );
    const messages = rest
      .slice(0, PAGE)
      .map(({ message_id }) =>
        pastMessageSchema.parse(this.#tables.history.peek(message_id, historyTable.messageItem)),
      );
    const continueAt = rest[PAGE]?.admitted_at;
    return { messages, ...(continueAt === undefined ? {} : { continueAt }) };
  }
}
