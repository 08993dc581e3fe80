import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { STAGE_KEYS } from '../../../functions/core/attempt/stage-keys.ts';
import {
  CIRCUIT_ONLY,
  OF_STAGE_KEYS,
  OPERATORS_TRAIL,
  RETURNS_NOTHING,
} from '../../constructs/data/table-conditions.ts';
import { grantOperationalEvents } from '../../constructs/operational-events.ts';
import type { PersonRole } from '../../constructs/person-role.ts';
import type { Archive } from '../archive.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

/** Only what the operators' commands put there. What a partner sees of a change lies in its own trail. */
function allowTrail(role: PersonRole, { audit }: Data): void {
  role.allow(['dynamodb:PutItem'], audit.tableArn);
  role.allowIf(OPERATORS_TRAIL, ['dynamodb:UpdateItem'], audit.tableArn);
}

interface Operated {
  readonly data: Data;
  readonly pipeline: Pipeline;
  /** Undefined where there is none. */
  readonly archive: Archive | undefined;
}

/**
 * What an incident takes besides looking: `redrive`, `discard`, `stuck`, `circuits`, `stage-keys`, and switching workers off
 * and on. Whoever may put dead letters back may send anything to the queues, and sees their bodies.
 */
export function allowOperating(role: PersonRole, { data, pipeline, archive }: Operated): void {
  const { events, deliveries, retryTimers, rules, unclaimed, outcomes } = pipeline;
  role.allow(
    [
      ...['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
      ...['sqs:SendMessage', 'sqs:StartMessageMoveTask'],
    ],
    ...[rules.deadLetters, events.deadLetters, deliveries.deadLetters, retryTimers.deadLetters].map(
      ({ queueArn }) => queueArn,
    ),
  );
  role.allow(
    ['sqs:SendMessage'],
    ...[events.queue, deliveries.queue, retryTimers.queue].map(({ queueArn }) => queueArn),
  );
  // Nothing goes back from these.
  role.allow(
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    ...[
      unclaimed.queue,
      outcomes.deadLetters,
      ...(archive === undefined ? [] : [archive.changes.deadLetters]),
    ].map(({ queueArn }) => queueArn),
  );
  // A circuit is read with its subscription, and only it is written.
  role.allow(['dynamodb:GetItem'], data.subscriptions.tableArn);
  role.allowIf(CIRCUIT_ONLY, ['dynamodb:UpdateItem'], data.subscriptions.tableArn);
  grantOperationalEvents(pipeline.bus, role);
  allowStageKeys(role, data);
  role.allow(
    ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'],
    ...pipeline.node
      .findAll()
      .filter((construct) => construct instanceof EventSourceMapping)
      .map(({ eventSourceMappingArn }) => eventSourceMappingArn),
  );
  allowTrail(role, data);
  role.allowIf(OPERATORS_TRAIL, ['dynamodb:Query'], data.audit.tableArn);
  data.allowDataKey(role, { tables: 'writing', queues: 'sending' });
}

/** What `stage-keys rotate` takes: it makes keys, and reads no private one, nor any secret of a subscription. */
function allowStageKeys(role: PersonRole, data: Data): void {
  role.allowIf(OF_STAGE_KEYS, ['dynamodb:UpdateItem'], data.subscriptions.tableArn);
  role.allowIf(
    { ...OF_STAGE_KEYS, ...RETURNS_NOTHING },
    ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    data.signingSecrets.tableArn,
  );
  data.allowSecretsKey(role, 'writing');
  role.allowIf(
    // `IfExists` for the emulator; the key's policy wants a context.
    { StringEqualsIfExists: { 'kms:EncryptionContext:subscription_id': STAGE_KEYS } },
    ['kms:GenerateDataKey'],
    data.secretsKeyArn,
  );
}

/** What `personal-data export` and `erase` take: whole events, and nothing of how the stage fares. */
export function allowErasing(
  role: PersonRole,
  { data, pipeline }: { readonly data: Data; readonly pipeline: Pipeline },
): void {
  const { history, sequences } = data;
  role.allow(
    ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'],
    history.tableArn,
  );
  role.allow(['dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], sequences.tableArn);
  role.allow(
    ['sqs:GetQueueAttributes'],
    ...[pipeline.rules, pipeline.events, pipeline.deliveries].map(({ deadLetters }) => deadLetters.queueArn),
  );
  allowTrail(role, data);
  data.allowDataKey(role, { tables: 'writing' });
}
