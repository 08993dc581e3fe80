import { orderingKeyTable } from '../../stuck/ordering-key-table.ts';
import { stuckEventTable } from '../../stuck/stuck-event-table.ts';
import { type Check, ok, warning } from '../check.ts';

const MAX = 1_000;

/** How many payments wait for an operator. */
export const stuckPayments: Check = {
  name: 'stuck-payments',
  async run({ clients, output, option }) {
    const tables = {
      orderingKeys: output('data', 'OrderingKeysTableName'),
      history: output('data', 'HistoryTableName'),
    };
    let unreadable = 0;
    const keys = await orderingKeyTable(clients.dynamodb, tables).stuck(MAX, () => {
      unreadable += 1;
    });
    const events = stuckEventTable(clients.dynamodb, { sequences: output('data', 'SequencesTableName') });
    const payments = await events.payments(MAX, () => {
      unreadable += 1;
    });
    const count = keys.length + payments.length + unreadable;
    return count === 0
      ? ok('no payment waits for an operator')
      : warning(
          `${count === MAX ? `${MAX} or more` : count} payments wait for an operator`,
          `Look at them: npm run ops -- stuck list ${option}, and go on at docs/operations.md#payments-stuck`,
        );
  },
};
