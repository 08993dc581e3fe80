import { happening } from '../../support/deployed/happening.ts';
import { logged } from '../../support/deployed/logged.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

const NAME = 'Grace Hopper';
const CARD = '4111111111111111';
const PATH = 'a-path-that-only-the-partner-knows';

test('logs name messages and payments but contain no bodies, secrets or tokens, whatever goes wrong', async () => {
  const beganAtMs = Date.now();
  onArrival(({ step }) => ({ status: step === 0 ? 200 : 500 }));
  const { id, secret } = await service.subscribe(partner.url(PATH));
  const broken = happening(service, {
    payment_id: 'pay-broken',
    event_type: 'NONSENSE',
    resource: { name: NAME },
  });
  // A publisher wrote the whole payment into the type field.
  const confused = happening(service, { event_type: `${NAME} ${CARD} ${'x'.repeat(50_000)}` });
  await stack.publish(
    confused,
    happening(service, { payment_id: 'pay-good', resource: { name: NAME } }),
    happening(service, { payment_id: 'pay-refused', resource: { name: NAME, step: 1 } }),
    happening(service, { payment_id: 'pay-large', resource: { name: NAME, notes: 'x'.repeat(20_000) } }),
    broken,
  );
  await service.messages(
    id,
    (all) => all.length === 3 && all.every(({ attempt_count }) => attempt_count > 0),
  );
  await service.call('POST', '/subscriptions', {
    callback_url: 'https://user:hunter2@example.com/',
    secret: NAME,
  });

  const text = await eventually('each of them is in the logs', async () => {
    const all = await logged(stack, beganAtMs);
    return (
      ['pay-good', 'pay-refused', 'pay-large', 'event.dead_lettered'].every((what) => all.includes(what)) &&
      all
    );
  });
  const secrets = {
    NAME,
    CARD,
    PATH,
    secret,
    token: service.token,
    password: 'hunter2',
    known: secret.slice('whsec_'.length),
  };
  expect(Object.entries(secrets).filter(([, value]) => text.includes(value))).toEqual([]);
});
