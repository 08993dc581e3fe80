import type { Answer } from '../../../functions/load-lab/receiver/answer.ts';
import type { ControlRequest } from '../../../functions/load-lab/receiver/control.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { LabReceiver } from './lab-stage.ts';

/** Controls a receiver through its own API. @param url of the receiver, with or without a trailing slash */
export function receiverControl(
  url: string,
  control: (request: ControlRequest) => Promise<Answer>,
): LabReceiver {
  const send = async (request: ControlRequest) => {
    const { status, body } = await control(request);
    if (status >= 300) {
      throw new Error(`the receiver answered ${request.method} with ${status}: ${JSON.stringify(body)}`);
    }
    return body;
  };
  return {
    callbackUrl: (endpoint) => `${url.replace(/\/$/, '')}/${endpoint}`,
    async behave(endpoint, settings) {
      await send({ method: 'PUT', path: `/${endpoint}/settings`, body: settings });
    },
    async receipts(endpoint, after) {
      const body = await send({ method: 'GET', path: `/${endpoint}/receipts?after=${after}` });
      return (body as { receipts: Receipt[] }).receipts;
    },
    async forget(endpoint) {
      await send({ method: 'DELETE', path: `/${endpoint}` });
    },
  };
}
