import { happening } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCEPTED, type Arrival } from '../../support/network/scripted-partner.ts';

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

const payments = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => happening(service, { payment_id: `${name}-${index}` }));
const isGood = ({ payment_id }: Pick<Arrival, 'payment_id'>) => payment_id.startsWith('good');
const taken = () => partner.arrivals().filter(({ status }) => status === 200);

test('an endpoint that fails on a block of payments gets the others, before and after they fail', async () => {
  onArrival((arrival) => (isGood(arrival) ? ACCEPTED : { status: 500 }));
  await stack.publish(...payments('bad', 30));
  await eventually('the circuit opens', async () => {
    const { circuit } = await service.subscription(id);
    return circuit.state !== 'closed';
  });
  await stack.publish(...payments('worse', 30), ...payments('good', 20));
  await eventually('all that it takes is delivered', async () => taken().length === 20);
  expect(taken().every(isGood)).toBe(true);
});

test('an endpoint that takes five a second and answers 429 beyond gets five a second, few of them in vain', async () => {
  let tokens = 5;
  let atMs = Date.now();
  onArrival(() => {
    tokens = Math.min(5, tokens + ((Date.now() - atMs) / 1_000) * 5);
    atMs = Date.now();
    if (tokens < 1) {
      return { status: 429, headers: { 'retry-after': '1' } };
    }
    tokens -= 1;
    return ACCEPTED;
  });
  await stack.publish(...payments('pay', 60));
  await service.messages(id, (all) => all.length === 60 && all.every(({ state }) => state === 'succeeded'));
  // Those that it refused at first, and one in five afterwards.
  expect(partner.arrivals().length).toBeLessThan(60 + 60 + 12);
});
