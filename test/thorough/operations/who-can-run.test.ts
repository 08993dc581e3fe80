import { setTimeout as delay } from 'node:timers/promises';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { marshall } from '@aws-sdk/util-dynamodb';
import { allowRulesCommand } from '../../../cli/operator/aws/allow-rules-command.ts';
import { discardCommand } from '../../../cli/operator/aws/discard-command.ts';
import { outputsCommand } from '../../../cli/operator/aws/query-command.ts';
import { ALL_CHECKS } from '../../../cli/operator/doctor/all-checks.ts';
import { doctorCommand } from '../../../cli/operator/doctor/doctor-command.ts';
import { examinedStage } from '../../../cli/operator/doctor/examined-stage.ts';
import type { OperatorWorld } from '../../../cli/operator/operator-command.ts';
import { OPS } from '../../../cli/operator/ops.ts';
import { consoleCommands } from '../../../cli/operator/token/console-commands.ts';
import { localConsole } from '../../../cli/operator/token/console-stage.ts';
import { portalCommands } from '../../../cli/operator/token/portal-commands.ts';
import { tokenCommands } from '../../../cli/operator/token/token-commands.ts';
import { LOCAL } from '../../../cli/stage/chosen-deployment.ts';
import { localAccess } from '../../../cli/stage/stage-access.ts';
import type { Command } from '../../../cli/terminal/command.ts';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { portalSessionTable } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { steps } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

const ROLES = ['Analyst', 'OnCall', 'Operator', 'Erasure'] as const;
type Role = (typeof ROLES)[number];

const LOOKING = ['OnCall', 'Operator'] as const;
const ACTING = ['Operator'] as const;
const NOBODY = [] as const;

/**
 * Which of these roles run what; AWS refuses the others. `bakery` is a service with a subscription, `sub_1`,
 * to which `pay_1` was delivered as `msg_1`.
 */
const MAY: Readonly<Record<string, readonly Role[]>> = {
  outputs: LOOKING,
  'payment bakery pay_1': LOOKING,
  'message msg_1': ['Erasure'],
  'circuits list': ['Analyst', ...LOOKING],
  'circuits show bakery sub_1': ['Analyst', ...LOOKING],
  'circuits open bakery sub_1 --yes': ACTING,
  'circuits drain bakery sub_1 --yes': ACTING,
  'circuits close bakery sub_1 --yes': ACTING,
  'stuck list': ['Analyst', ...LOOKING],
  'stuck show sub_1.pay_1': LOOKING,
  'stuck show bakery.pay_1': LOOKING,
  'stuck release bakery.pay_1': LOOKING,
  'stuck skip bakery.pay_1': LOOKING,
  'redrive rule': ACTING,
  'redrive events': ACTING,
  'redrive deliveries': ACTING,
  'redrive retry-timers': ACTING,
  'discard rule': ACTING,
  'discard events': ACTING,
  'discard deliveries': ACTING,
  'discard retry-timers': ACTING,
  'discard unclaimed --yes': ACTING,
  'discard statistics --yes': ACTING,
  'stage-keys list': ACTING,
  'stage-keys rotate --yes': ACTING,
  audit: ACTING,
  'ask failures --by service,reason': ['Analyst', ...LOOKING],
  'ask not-acknowledged --by subscription': ['Analyst', ...LOOKING],
  'allow-rules': LOOKING,
  'personal-data export bakery pay_1': ['Erasure'],
  'personal-data erase bakery pay_1 --yes': ['Erasure'],
  'console --as on-call': LOOKING,
  'console --as analyst': ['Analyst'],
  'end-console stg_0000000000000000000000 --as on-call': LOOKING,
  events: LOOKING,
  'token list bakery': NOBODY,
  'token create bakery': NOBODY,
  'token revoke bakery tok_0123456789abcdef --yes': NOBODY,
  'portal bakery': NOBODY,
  'end-session bakery ses_0000000000000000000000': NOBODY,
  'restore history --from restored': NOBODY,
};

/** Commands that the emulator cannot judge, or that ask about no stage. */
const NOT_HERE: Readonly<Record<string, string>> = {
  query: 'the emulator saves no queries: test/stacks/access',
  send: 'the emulator ignores the source of events: test/stacks/access',
  doctor: 'below',
  preflight: 'before there is a stage',
  cost: 'of no stage',
  schema: 'of no stage',
};

type Config = Awaited<ReturnType<typeof configAs>>;

/** All commands, with the rights of a role. */
function commandsAs(config: Config): readonly Command<OperatorWorld>[] {
  const find = () => examinedStage(LOCAL, { outputsFile: process.env.PAYHOOKS_TEST_OUTPUTS, as: config });
  const { apiTokens } = stack.outputs.tables;
  const dynamodb = new DynamoDBClient(config);
  const own = [
    ...[allowRulesCommand(find), discardCommand(find), outputsCommand(find), doctorCommand({ find })],
    ...consoleCommands(async () => localConsole(stack.outputs, config)),
    ...tokenCommands(async () => apiTokenTable(dynamodb, apiTokens)),
    ...portalCommands(async () => ({
      apiUrl: stack.outputs.apiUrl,
      sessions: portalSessionTable(dynamodb, apiTokens),
      subscriptions: { list: async () => [] },
    })),
  ];
  return [...own, ...OPS.commands.filter(({ name }) => !own.some((one) => one.name === name))];
}

async function runAs(role: Role, args: readonly string[]): Promise<string> {
  const config = await configAs(role, stack.outputs.endpoint);
  const access = async () => localAccess(stack.outputs, config);
  // Long enough after a message has ended for its body to be erased.
  const now = () => Date.now() + 3_600_000;
  try {
    return (await ops(args, { access, now }, commandsAs(config))).printed;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const REFUSED = /^AccessDenied|^ExplainedError: Your AWS role may not/;

test('each command of operators is in one of these lists', () => {
  const listed = [...Object.keys(MAY), ...Object.keys(NOT_HERE)];
  const missing = OPS.commands.filter(
    ({ name }) => !listed.some((line) => `${line} `.startsWith(`${name} `)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe('of the commands', () => {
  let names: Readonly<Record<string, string>>;

  beforeEach(async () => {
    const { id } = await service.subscribe(partner.url('partner'));
    await stack.publish(...steps(service, ['pay_1'], 1));
    const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
    names = { bakery: service.serviceId, sub_1: id, msg_1: String(message?.message_id) };
  });

  test.each(Object.entries(MAY))('%s is run by %j, and refused to others', async (line, expected) => {
    const args = line.replace(/bakery|sub_1|msg_1/g, (name) => names[name] as string).split(' ');
    const may: Role[] = [];
    for (const role of ROLES) {
      const said = await runAs(role, args);
      if (!REFUSED.test(said)) {
        may.push(role);
      }
    }
    expect(may).toEqual(expected);
  });
});

test('the person on call looks at a stuck payment, and the operator gives it up', async () => {
  const { id } = await service.subscribe(partner.url('partner'));
  const TableName = stack.outputs.tables.signingSecrets;
  await stack.dynamodb.send(new DeleteItemCommand({ TableName, Key: marshall({ subscription_id: id }) }));
  const key = `${id}.pay-1`;
  await stack.publish(...steps(service, ['pay-1'], 1));
  await eventually('it waits', async () => (await runAs('OnCall', ['stuck', 'list'])).includes(key));
  expect(await runAs('OnCall', ['stuck', 'skip', key, '--yes'])).toMatch(REFUSED);
  expect(await runAs('Operator', ['stuck', 'release', key, '--yes'])).toContain('the attempt failed');
  expect(await runAs('Operator', ['stuck', 'skip', key, '--yes'])).toMatch(/: msg_\S+ was given up/);
});

test('on a whole stage allow-rules finds nothing to do', async () => {
  expect(await runAs('OnCall', ['allow-rules'])).toContain('there is nothing to do');
});

/** The template grants it on the stage's roles; the emulator asks for all. */
const ASKED_OTHERWISE = ['permissions'];

test.each(LOOKING)('%s may run each check of the doctor but its synthetic payment', async (role) => {
  const { findings } = JSON.parse(await runAs(role, ['doctor', '--json']));
  expect(findings).toHaveLength(ALL_CHECKS.length);
  const denied = findings
    .filter(({ seen }: { seen: string }) => / may not [a-z]+:/.test(seen))
    .map(({ name }: { name: string }) => name);
  expect(denied.sort()).toEqual([...ASKED_OTHERWISE, 'end-to-end'].sort());
});

describe('with the rights of the operator', () => {
  let config: Config;
  let lambda: LambdaClient;

  /** The mapping that feeds a queue to its worker. */
  async function mappingOf(queueName: RegExp): Promise<string> {
    const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
    const found = EventSourceMappings.find(({ EventSourceArn = '' }) => queueName.test(EventSourceArn));
    return found?.UUID as string;
  }

  beforeAll(async () => {
    config = await configAs('Operator', stack.outputs.endpoint);
    lambda = new LambdaClient(config);
  });
  afterAll(() => lambda?.destroy());

  test('a worker is switched off and on: meanwhile messages wait', async () => {
    const UUID = await mappingOf(/DeliveriesQueue/);
    const set = (Enabled: boolean) => lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    const { id } = await service.subscribe(partner.url('partner'));
    await set(false);
    try {
      await eventually('the doctor says so', async () => {
        const { findings } = JSON.parse(await runAs('OnCall', ['doctor', '--only', 'workers', '--json']));
        return findings[0].outcome === 'failed' && findings[0].seen.includes('deliver');
      });
      await stack.publish(...steps(service, ['pay_1'], 1));
      await delay(3_000);
      expect(await service.messages(id, () => true)).toEqual([]);
    } finally {
      await set(true);
    }
    await service.messages(id, ([first]) => first?.state === 'succeeded');
  });
});
