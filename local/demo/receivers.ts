import type { Partner } from '../../cli/partner/partner.ts';
import { type Receipt, receiptSchema } from '../../functions/load-lab/receiver/receipt.ts';

/** One subscription each, to an endpoint of the simulated receiver that behaves like this. */
const RECEIVERS = [
  { name: 'quick', settings: { delay_ms: 50 } },
  { name: 'slow', settings: { delay_ms: [1_000, 2_000] } },
  { name: 'outage', settings: { delay_ms: 50 } },
] as const;

const DOWN = { failure_rate: 1, failure_status: 503 };

export interface Receivers {
  readonly names: readonly string[];
  /** From now on, the endpoint `outage` answers 503 to everything, or works again. */
  setDown(isDown: boolean): Promise<void>;
  /** What arrived at an endpoint, in order of arrival. */
  receipts(name: string): Promise<readonly Receipt[]>;
}

/** Subscribes the endpoints of the demonstration. */
export async function receiversOf(api: Partner, receiverUrl: string): Promise<Receivers> {
  const secrets = new Map<string, string>();
  const set = async (name: string, settings: object) => {
    const body = JSON.stringify({ ...settings, secret: secrets.get(name) });
    const answer = await fetch(`${receiverUrl}${name}/settings`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body },
    });
    if (!answer.ok) {
      throw new Error(`the receiver refused its settings: ${answer.status} ${await answer.text()}`);
    }
  };
  for (const { name, settings } of RECEIVERS) {
    const callback_url = `${receiverUrl}${name}`;
    const wanted = { callback_url, description: name, event_types: ['*'], live: false };
    secrets.set(name, (await api.subscribe(wanted)).signing_secret);
    await set(name, settings);
  }
  const { name, settings } = RECEIVERS[2];
  return {
    names: RECEIVERS.map((receiver) => receiver.name),
    setDown: (isDown) => set(name, { ...settings, ...(isDown ? DOWN : {}) }),
    async receipts(of) {
      const answer = await fetch(`${receiverUrl}${of}/receipts`);
      const { receipts } = (await answer.json()) as { receipts: unknown[] };
      return receipts.map((receipt) => receiptSchema.parse(receipt));
    },
  };
}
