import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../functions/core/subscription/subscription.ts';
import type { HostileReceiver } from '../../integration/hostile/listeners.ts';
import { type GoodNeighbour, goodNeighbour } from '../../integration/hostile/neighbour.ts';
import { HOSTILE_RECEIVERS } from '../../integration/hostile/receivers.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import type { RawServer } from '../../support/network/raw-server.ts';

const DEADLINE_MS = 1_500;
/** How late a timer may be: the emulator shares two cores with everything else. */
const LATE_MS = 1_000;

let neighbour: GoodNeighbour;
const servers: RawServer[] = [];

beforeAll(async () => {
  neighbour = await goodNeighbour(stack);
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(() => neighbour?.stop());

/** Starts a receiver and subscribes it. */
async function subscribed(service: Service, { scheme, start }: HostileReceiver, timeout_ms: number) {
  const server = await start();
  servers.push(server);
  const { id } = await service.subscribe(`${scheme}://localhost:${server.port}/`, { timeout_ms });
  return { id, server };
}

async function firstMessage(service: Service, id: string): Promise<MessageView> {
  const [message] = await service.messages(id, ({ length }) => length > 0);
  return service.message(message?.message_id ?? '');
}

test('an attempt on each hostile receiver ends by its deadline, with the failure on record', async () => {
  const perService = MAX_SUBSCRIPTIONS_PER_SERVICE;
  const services = await Promise.all(
    Array.from({ length: Math.ceil(HOSTILE_RECEIVERS.length / perService) }, () => stack.newService()),
  );
  const rows: { service: Service; id: string; receiver: HostileReceiver }[] = [];
  for (const [index, receiver] of HOSTILE_RECEIVERS.entries()) {
    const service = services[Math.floor(index / perService)]!;
    rows.push({ service, receiver, ...(await subscribed(service, receiver, DEADLINE_MS)) });
  }

  const seen: unknown[] = [];
  await neighbour.publishDuring(async () => {
    await stack.publish(...services.map((service) => happening(service)));
    for (const { service, id, receiver } of rows) {
      const { attempts } = await firstMessage(service, id);
      const { failure_class, status_code, response_body = '', duration_ms = Infinity } = attempts[0] ?? {};
      seen.push({
        what: receiver.what,
        failure_class,
        status_code,
        isShort: Buffer.byteLength(response_body) <= 4_096,
        isInTime: duration_ms <= DEADLINE_MS + LATE_MS,
      });
    }
  });
  await neighbour.expectUnharmed();
  expect(seen).toEqual(
    HOSTILE_RECEIVERS.map(({ what, failureClass, statusCode }) => ({
      what,
      failure_class: failureClass,
      status_code: statusCode,
      isShort: true,
      isInTime: true,
    })),
  );
});
