import { noSuch } from '../../../core/api/answer.ts';
import { messageView, messageViewSchema } from '../../../core/message/message-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownMessage } from '../../owned.ts';

export const showMessage = operation({
  id: 'showMessage',
  method: 'GET',
  path: '/v1/messages/:message_id',
  scope: 'read',
  tag: 'Messages',
  summary: 'Retrieve a message',
  async run(request, ports) {
    const message = await ownMessage(request, ports);
    if (message === undefined) {
      return noSuch('message', request.params);
    }
    const { record, laterAttempts } = message;
    const resource = record.resource ?? (await ports.history.resource(record));
    return { status: 200, body: messageView(record, laterAttempts, resource) };
  },
});

/* @__PURE__ */ describeOperation(
  showMessage,
  'Retrieves a message with its body and all its attempts. A message is on record from its first attempt, or from when it began to wait.',
  () => ({ 200: { description: 'The message.', schema: messageViewSchema } }),
);
