import fc from 'fast-check';
import type { Described } from '../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../functions/api/operations.ts';
import { STAGE_OPERATIONS } from '../../../functions/api/stage/stage-operations.ts';
import { STAGE_RIGHTS } from '../../../functions/core/api/stage/stage-rights.ts';
import { type Draw, drawOf } from './draw.ts';
import { PLAYS } from './plays/plays.ts';
import { Repeat } from './repeat.ts';
import { Turn } from './turn.ts';
import type { KnownService, Tested, World } from './world.ts';

const ALL: readonly Described[] = [...OPERATIONS, ...STAGE_OPERATIONS];

const playOf = (id: string) => {
  const play = PLAYS[id];
  if (play === undefined) {
    throw new Error(`say how ${id} is played: test/support/api-model/plays`);
  }
  return play;
};

/** Requests of both services and of those who run the stage to all operations, in any order. */
export const sequences = (maxCommands: number) =>
  fc.commands<World, Tested, false>(
    [
      ...ALL.map((operation) =>
        drawOf(playOf(operation.id), operation.isOfStage).map(
          (draw) => new Turn(operation, playOf(operation.id), draw),
        ),
      ),
      fc
        .tuple(fc.constantFrom<0 | 1>(0, 1), fc.nat(9), fc.boolean())
        .map(([service, pick, isOther]) => new Repeat(service, pick, isOther)),
    ],
    { maxCommands, size: 'max' },
  );

const PLAIN: Omit<Draw, 'service' | 'body'> = {
  rights: 'all',
  isNamed: true,
  first: { whose: 'own', pick: 0 },
  second: { whose: 'own', pick: 0 },
  ifMatch: 'none',
  key: 'new',
  query: { value: () => ({}) },
};

/**
 * Each service starts with a subscription, made under the same idempotency key; of those who run the stage,
 * two sign in.
 */
export async function begin(world: World, tested: Tested): Promise<void> {
  for (const service of [0, 1] as const) {
    const value: Draw['body']['value'] = ({ service: { own } }) => ({
      callback_url: `${tested.acceptedUrl}/${own}`,
      description: own,
      event_types: ['*'],
      live: false,
    });
    await named('createSubscription', { ...PLAIN, service, body: { value } }).run(world, tested);
  }
  for (const rights of STAGE_RIGHTS) {
    const value = () => ({ code: world.stage.links.find((link) => link.rights === rights)?.code });
    await named('exchangeStageSession', { ...PLAIN, service: 0, body: { value } }).run(world, tested);
  }
}

/** At the end, each service sees what the model says, and nothing else. */
export async function compare(world: World, tested: Tested): Promise<void> {
  const body: Draw['body'] = { value: () => undefined };
  for (const service of [0, 1] as const) {
    for (const id of ['listSubscriptions', 'listPortalSessions', 'listChanges']) {
      await named(id, { ...PLAIN, service, body }).run(world, tested);
    }
    for (const pick of world.services[service].subscriptions.filter(isThere).keys()) {
      const first = { whose: 'own', pick } as const;
      await named('showSubscription', { ...PLAIN, service, body, first }).run(world, tested);
    }
  }
}

const isThere = ({ isDeleted }: KnownService['subscriptions'][number]) => !isDeleted;

function named(id: string, draw: Draw): Turn {
  const operation = ALL.find((one) => one.id === id);
  if (operation === undefined) {
    throw new Error(`there is no operation ${id}`);
  }
  return new Turn(operation, playOf(id), draw);
}
