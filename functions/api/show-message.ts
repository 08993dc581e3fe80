import { resourceKey } from '../core/message.ts';
import { messageView } from '../core/message-view.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownMessage } from './owned.ts';

/** A message with its body and all its attempts. */
export async function showMessage(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const message = await ownMessage(request, ports);
  if (message === undefined) {
    return noSuch('message');
  }
  const { record, laterAttempts } = message;
  const resource = record.body === undefined ? await ports.history.resource(resourceKey(record)) : undefined;
  return { status: 200, body: messageView(record, laterAttempts, resource) };
}
