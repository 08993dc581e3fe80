import {
  type DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { refusalOf } from './refusal.ts';
import { SLEEPS_MS, untilDone } from './until-done.ts';

/** Transient: a concurrent transaction on the same items, or throttling. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Why a transaction was cancelled, write by write; empty for any other error. */
export function cancellationCodes(error: unknown): readonly string[] {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None')
    : [];
}

/** Whether nothing was refused for good, so that the same transaction may succeed a moment later. */
export function isPassing(codes: readonly string[]): boolean {
  return codes.some((code) => PASSING.has(code));
}

/**
 * Writes all or nothing. Repeats what passes with the same idempotency token: DynamoDB then answers a
 * repeated write as if it were new.
 *
 * @param sleepsMs one pause before each retry
 * @returns `overtaken` when an item was not as the conditions say
 * @throws RefusedError when DynamoDB refuses the content; whatever stays so in every try
 */
export async function transact(
  client: DynamoDBClient,
  input: TransactWriteItemsCommandInput & { readonly ClientRequestToken: string },
  sleepsMs: readonly number[] = SLEEPS_MS,
): Promise<'written' | 'overtaken'> {
  const command = new TransactWriteItemsCommand(input);
  let refusal: unknown;
  let isOvertaken = false;
  const left = await untilDone(
    command,
    async () => {
      try {
        await client.send(command);
      } catch (error) {
        const codes = cancellationCodes(error);
        isOvertaken = codes.includes('ConditionalCheckFailed');
        if (!isOvertaken && !isPassing(codes)) {
          throw refusalOf(error) ?? error;
        }
        refusal = error;
        return isOvertaken ? undefined : command;
      }
      return undefined;
    },
    sleepsMs,
  );
  if (left !== undefined) {
    throw refusal;
  }
  return isOvertaken ? 'overtaken' : 'written';
}
