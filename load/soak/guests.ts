import { apiClient, isMissing } from '../../cli/partner/api-client.ts';
import { type MessagePage, partner } from '../../cli/partner/partner.ts';
import { createToken } from '../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE } from '../../functions/core/api/api-token.ts';
import type { MessageSummary, MessageView } from '../../functions/core/message/message-view.ts';
import type { Hour } from '../../functions/core/statistics/statistics.ts';
import { control } from '../../functions/load-lab/receiver/control.ts';
import { memoryStore } from '../../functions/load-lab/receiver/store/memory-store.ts';
import { startReceiverServer } from '../../local/receiver-server.ts';
import type { LabStage } from '../lab/stage/lab-stage.ts';
import { receiverControl } from '../lab/stage/receiver-control.ts';
import { sumByName } from '../statistics/sum.ts';
import type { Choice, Guest } from './choices.ts';
import type { GuestStep } from './plan.ts';
import type { Source } from './soak-partners.ts';

/** Subscriptions of one service that come and go, one at a time, each with an endpoint of its own. */
export interface Guests extends Source {
  /** May be repeated when it has failed. */
  take(step: GuestStep): Promise<void>;
  /** Enables the one that is there, so that nothing waits for it. */
  revive(): Promise<void>;
  readonly all: readonly Guest[];
  stop(): Promise<void>;
}

interface Hosts {
  readonly serviceId: string;
  /** The payments that were published to the service. */
  payments(): Iterable<string>;
  /** From the table of statistics: the API has none of what is deleted. */
  hours(subscriptionId: string): Promise<readonly Hour[]>;
}

const EVERYTHING = ['*'];
const SOME = ['card_payment_started', 'card_payment_captured'];
const CONCURRENCY = 5;

export async function soakGuests(stage: LabStage, { serviceId, payments, hours }: Hosts): Promise<Guests> {
  const store = memoryStore();
  const server = await startReceiverServer({ port: 0, store });
  const receiver = receiverControl(server.url, (request) => control(request, store));
  const { token } = await createToken(stage.tokens, {
    serviceId,
    description: 'soak',
    requestsPerMinute: MAX_REQUESTS_PER_MINUTE,
  });
  const connection = { apiUrl: stage.apiUrl, token };
  const call = apiClient(connection);
  const api = partner(connection);
  const all: (Guest & { readonly choices: Choice[] })[] = [];
  let tries = 0;

  async function create(): Promise<void> {
    // A try without an answer may have created one: nothing may reach its endpoint.
    tries += 1;
    const endpoint = `${serviceId}-guest-${tries}`;
    const askedAtMs = Date.now();
    const { subscription_id, signing_secret: secret } = await api.subscribe({
      callback_url: receiver.callbackUrl(endpoint),
      description: 'soak',
      event_types: EVERYTHING,
      live: false,
    });
    const created = { askedAtMs, answeredAtMs: Date.now(), eventTypes: EVERYTHING };
    all.push({ subscriptionId: subscription_id, endpoint, choices: [created] });
    await receiver.behave(endpoint, { secret });
  }

  /** What is asked again has been wanted since it was asked first. */
  async function choice(eventTypes: readonly string[], ask: (id: string) => Promise<unknown>): Promise<void> {
    const guest = present();
    const last = guest.choices.at(-1);
    if (last === undefined || last.answeredAtMs !== undefined) {
      guest.choices.push({ askedAtMs: Date.now(), eventTypes });
    }
    await ask(guest.subscriptionId);
    guest.choices.push({ ...(guest.choices.pop() as Choice), answeredAtMs: Date.now() });
  }

  function present() {
    const guest = all.at(-1);
    if (guest === undefined) throw new Error('no guest is there');
    return guest;
  }

  const isThere = () => all.length > 0 && present().choices.at(-1)?.eventTypes.length !== 0;
  const change = (event_types: readonly string[]) =>
    choice(event_types, (id) => call('PATCH', `/subscriptions/${id}`, { body: { event_types } }));
  const taken = (part: 'pause' | 'enable') =>
    call('POST', `/subscriptions/${present().subscriptionId}/${part}`);
  const steps: Readonly<Record<GuestStep, () => Promise<unknown>>> = {
    create,
    narrow: () => change(SOME),
    widen: () => change(EVERYTHING),
    pause: () => taken('pause'),
    enable: () => taken('enable'),
    delete: () =>
      choice([], (id) =>
        api.unsubscribe(id).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        }),
      ),
  };
  return {
    all,
    async take(step) {
      await steps[step]();
    },
    async revive() {
      if (!isThere()) return;
      const { state } = (await call('GET', `/subscriptions/${present().subscriptionId}`)) as {
        state: string;
      };
      if (state !== 'active') await taken('enable');
    },
    get subscriptionIds() {
      return all.map(({ subscriptionId }) => subscriptionId);
    },
    // By payment: the list of a subscription goes with it.
    async messages() {
      const ids = new Set(all.map(({ subscriptionId }) => subscriptionId));
      const found: MessageSummary[] = [];
      const next = new Set(payments()).values();
      await Promise.all(
        Array.from({ length: CONCURRENCY }, async () => {
          for (const payment_id of next) {
            const page = (await call('GET', '/messages', {
              query: { payment_id, limit: '100' },
            })) as MessagePage;
            found.push(...page.messages.filter(({ subscription_id }) => ids.has(subscription_id)));
          }
        }),
      );
      return found;
    },
    message: async (messageId) => (await call('GET', `/messages/${messageId}`)) as MessageView,
    receipts: (id, after) =>
      receiver.receipts(all.find(({ subscriptionId }) => subscriptionId === id)?.endpoint ?? '', after),
    async counted(id) {
      const figures = (await hours(id)).map(({ since: _, times: __, ...hour }) => hour);
      return { delivered: 0, failed_attempts: 0, exhausted: 0, cancelled: 0, ...sumByName(figures) };
    },
    stop: () => server.stop(),
  };
}
