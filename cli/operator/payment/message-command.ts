import * as z from 'zod';
import { historyReader } from '../../../functions/adapters/dynamodb/history/history-reader.ts';
import { messageView } from '../../../functions/core/message/message-view.ts';
import { textOf } from '../../partner/commands/message.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';

export const message = operatorCommand({
  name: 'message',
  arguments: {
    message: {
      check: z.string().regex(/^msg_[\w-]{40}$/, 'must be msg_ and 40 letters, digits, _ and -'),
      help: 'id of the message: the webhook-id of its attempts',
    },
  },
  summary: 'Show a message with its body and every attempt, for whoever may read personal data',
  options: ON_STAGE,
  example: 'msg_2Ktbxb6MqKrTbSTojdaEXo7LrP3fUe5gTn1iCk9s --stage dev',
  remarks: 'A message lies in the table History under the first half of its id, its resource compressed.',
  async run(given, { access, print }) {
    const { dynamodb, tables } = await access(given.stage);
    const history = historyReader(dynamodb, (await tables()).history);
    const found = await history.find(given.message);
    if (found === undefined) {
      throw new ExplainedError(
        `No message ${given.message} is on record on ${given.stage}: it has not been attempted yet, or ended over 90 days ago.`,
      );
    }
    const { record, laterAttempts } = found;
    const view = messageView(record, laterAttempts, record.resource ?? (await history.resource(record)));
    print(textOf(view), view);
    return true;
  },
});
