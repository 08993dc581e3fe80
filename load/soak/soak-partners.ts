import { apiClient } from '../../cli/partner/api-client.ts';
import { createToken } from '../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE } from '../../functions/core/api/api-token.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { control } from '../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../functions/load-lab/receiver/store/memory-store.ts';
import { startReceiverServer } from '../../local/receiver-server.ts';
import { createPartner, type Partner, type SubscriptionOptions } from '../lab/partners/partner.ts';
import type { LabStage } from '../lab/stage/lab-stage.ts';
import { receiverControl } from '../lab/stage/receiver-control.ts';
import { sumByName } from '../statistics/sum.ts';
import { TROUBLES, type Trouble } from './plan.ts';
import type { Counted } from './proof.ts';

/** Where evidence comes from. */
export type Source = Pick<Partner, 'subscriptionIds' | 'messages' | 'message' | 'receipts'> & {
  counted(subscriptionId: string): Promise<Counted>;
};

/** A service of a soak, with the trouble its endpoint has now and then. */
export interface SoakPartner extends Partner, Source {
  begin(trouble: Trouble): Promise<void>;
  end(trouble: Trouble): Promise<void>;
  /** Enables its subscriptions, if they are not active. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Partial<Record<string, SubscriptionOptions>>> = {
  hanging: { timeout_ms: 3_000 },
  limited: { rate_limit: 20 },
};
const BEHAVIOUR: Readonly<Partial<Record<Trouble, object>>> = {
  slow: { delay_ms: [500, 2_000] },
  failing: { failure_rate: 1, failure_status: 503 },
  hanging: { hang: true },
  gone: { failure_rate: 1, failure_status: 410 },
  limited: { takes_per_second: 1 },
};

/** The service beside whose subscription others come and go. */
export const HOST = 'host';

/** One service that nothing happens to, with two subscriptions, the host, and one for each trouble. */
export async function soakPartners(stage: LabStage, run: string): Promise<SoakPartner[]> {
  const all: SoakPartner[] = [];
  try {
    for (const group of ['good', HOST, ...TROUBLES]) all.push(await soakPartner(stage, run, group));
    return all;
  } catch (error) {
    await Promise.all(all.map((one) => one.stop()));
    throw error;
  }
}

async function soakPartner(stage: LabStage, run: string, group: string): Promise<SoakPartner> {
  const serviceId = `${run}-${group}`;
  // Each has a server of its own, so that one can vanish.
  const store = memoryStore();
  let server = await startReceiverServer({ port: 0, store });
  const port = Number(new URL(server.url).port);
  let isUp = true;
  const receiver = receiverControl(server.url, (request) => control(request, store));
  const subscriptions = group === 'good' ? 2 : 1;
  const settings = SETTINGS[group] ?? {};
  const { token } = await createToken(stage.tokens, {
    serviceId,
    description: 'soak',
    requestsPerMinute: MAX_REQUESTS_PER_MINUTE,
  });
  const call = apiClient({ apiUrl: stage.apiUrl, token });
  const partner = await createPartner({ ...stage, receiver }, { serviceId, group, subscriptions, settings });
  await partner.behave(() => ({}));
  const each = (work: (path: string) => Promise<unknown>) =>
    Promise.all(partner.subscriptionIds.map((id) => work(`/subscriptions/${id}`)));
  const revive = async () => {
    await each(async (path) => {
      const { state } = (await call('GET', path)) as SubscriptionView;
      if (state !== 'active') await call('POST', `${path}/enable`);
    });
  };
  return {
    ...partner,
    async begin(trouble) {
      const behaviour = BEHAVIOUR[trouble];
      if (behaviour !== undefined) await partner.behave(() => behaviour);
      if (trouble === 'paused') await each((path) => call('POST', `${path}/pause`));
      if (trouble === 'vanishing' && isUp) {
        isUp = false;
        await server.stop();
      }
    },
    async end() {
      if (!isUp) {
        server = await startReceiverServer({ port, store });
        isUp = true;
      }
      await partner.behave(() => ({}));
      await revive();
    },
    revive,
    async counted(subscriptionId) {
      const answer = await call('GET', `/subscriptions/${subscriptionId}/statistics`, {
        query: { by: 'day' },
      });
      const { periods } = answer as { periods: readonly (Counted & { since: string })[] };
      const figures = periods.map(({ since: _, ...period }) => period);
      return { delivered: 0, failed_attempts: 0, exhausted: 0, cancelled: 0, ...sumByName(figures) };
    },
    async stop() {
      if (isUp) await server.stop();
      isUp = false;
    },
  };
}
