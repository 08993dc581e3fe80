import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { localAccess } from '../../../cli/stage/stage-access.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { steps } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

type Role = 'OnCall' | 'Operator' | 'Erasure';

let id: string;

beforeEach(async () => {
  ({ id } = await service.subscribe(partner.url('partner')));
});

/** Long enough after a message has ended for its body to be erased. */
const later = () => Date.now() + 3_600_000;

/** Runs a command with the rights of a role; what it printed, or why AWS refused. */
async function runAs(role: Role, ...args: readonly string[]): Promise<string> {
  const config = await configAs(role, stack.outputs.endpoint);
  try {
    return (await ops(args, { access: async () => localAccess(stack.outputs, config), now: later })).printed;
  } catch (error) {
    return (error as Error).name;
  }
}

const REFUSED = /^AccessDenied/;

test('circuits are operated by the operator alone, who is on record', async () => {
  const open = ['circuits', 'open', service.serviceId, id, '--yes'];
  for (const role of ['OnCall', 'Erasure'] as const) {
    expect(await runAs(role, ...open)).toMatch(REFUSED);
  }
  expect((await service.subscription(id)).circuit.state).toBe('closed');
  expect(await runAs('Operator', ...open)).toContain('is opened');
  expect(await runAs('Operator', 'circuits', 'list')).toContain(id);
  expect(await runAs('Operator', 'circuits', 'close', service.serviceId, id, '--yes')).toContain('is closed');
  expect(await runAs('Operator', 'audit')).toContain('circuits open');
});

test('the person on call looks at a stuck payment, and the operator gives it up', async () => {
  await stack.dynamodb.send(
    new DeleteItemCommand({
      TableName: stack.outputs.tables.signingSecrets,
      Key: marshall({ subscription_id: id }),
    }),
  );
  const key = `${id}.pay-1`;
  await stack.publish(...steps(service, ['pay-1'], 1));
  await eventually('it waits', async () => (await runAs('OnCall', 'stuck', 'list')).includes(key));
  expect(await runAs('OnCall', 'stuck', 'show', key)).toContain('1 message waits');
  expect(await runAs('OnCall', 'stuck', 'skip', key, '--yes')).toMatch(REFUSED);
  expect(await runAs('Operator', 'stuck', 'release', key, '--yes')).toContain('the attempt failed');
  expect(await runAs('Operator', 'stuck', 'skip', key, '--yes')).toMatch(/: msg_\S+ was given up/);
});

test.each(['rule', 'events', 'deliveries', 'retry-timers'])(
  'dead letters of %s are the operator’s',
  async (queue) => {
    expect(await runAs('OnCall', 'redrive', queue)).toMatch(REFUSED);
    expect(await runAs('Operator', 'redrive', queue, '--yes', '--limit', '1')).not.toMatch(REFUSED);
  },
);

test('personal data is erased with the role for that, and no other', async () => {
  await stack.publish(...steps(service, ['pay-1'], 1));
  await service.messages(id, ([first]) => first?.state === 'succeeded');
  const erase = ['personal-data', 'erase', service.serviceId, 'pay-1'];
  for (const role of ['OnCall', 'Operator'] as const) {
    expect(await runAs(role, ...erase)).toMatch(REFUSED);
  }
  expect(await runAs('Erasure', ...erase, '--yes')).toContain('1 message and 0 large resources erased.');
});
