import type { Answer } from '../../../functions/load-lab/receiver/answer.ts';
import type { ControlRequest } from '../../../functions/load-lab/receiver/control.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { LabReceiver } from './lab-stage.ts';

/** Steers a receiver through its own control, however that is reached. @param url of the receiver, with or without a final slash */
export function receiverControl(
  url: string,
  control: (request: ControlRequest) => Promise<Answer>,
): LabReceiver {
  const ask = async (request: ControlRequest) => {
    const { status, body } = await control(request);
    if (status >= 300) {
      throw new Error(`the receiver answered ${request.method} with ${status}: ${JSON.stringify(body)}`);
    }
    return body;
  };
  return {
    callbackUrl: (endpoint) => `${url.replace(/\/$/, '')}/${endpoint}`,
    async behave(endpoint, settings) {
      await ask({ method: 'PUT', path: `/${endpoint}/settings`, body: settings });
    },
    async receipts(endpoint, after) {
      const body = await ask({ method: 'GET', path: `/${endpoint}/receipts?after=${after}` });
      return (body as { receipts: Receipt[] }).receipts;
    },
    async forget(endpoint) {
      await ask({ method: 'DELETE', path: `/${endpoint}` });
    },
  };
}
