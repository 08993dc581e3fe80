import fc from 'fast-check';
import type { Play, Sample, Where } from './play.ts';
import type { KnownService, KnownSubscription, Rights } from './world.ts';

const WHOSE = ['own', 'stranger', 'deleted', 'unknown', 'hostile'] as const;
type Whose = (typeof WHOSE)[number];

/** Which resource a path names. */
interface Chosen {
  readonly whose: Whose;
  readonly pick: number;
}

export interface Draw {
  readonly service: 0 | 1;
  readonly rights: Rights;
  /** Whether a session of the whole stage names the service. */
  readonly isNamed: boolean;
  readonly first: Chosen;
  readonly second: Chosen;
  readonly ifMatch: 'none' | 'current' | 'stale' | 'any' | 'list' | 'weak' | 'malformed';
  readonly key: 'none' | 'new' | 'used' | 'malformed';
  readonly body: Sample<unknown>;
  readonly query: Sample<Readonly<Record<string, string>>>;
}

const weighted = <Value>(...values: readonly (readonly [number, Value])[]): fc.Arbitrary<Value> =>
  fc.oneof(...values.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const chosen = fc.record({
  whose: weighted<Whose>([12, 'own'], [3, 'stranger'], [1, 'deleted'], [1, 'unknown'], [1, 'hostile']),
  pick: fc.nat(9),
});
const nothing = <Value>(value: Value): fc.Arbitrary<Sample<Value>> => fc.constant({ value: () => value });

const OF_SERVICES = weighted<Rights>([20, 'all'], [2, 'read'], [1, 'none'], [2, 'on-call'], [2, 'analyst']);
const OF_STAGE = weighted<Rights>([12, 'on-call'], [4, 'analyst'], [2, 'all'], [1, 'read'], [1, 'none']);

export const drawOf = ({ body, query }: Play, isOfStage = false): fc.Arbitrary<Draw> =>
  fc.record({
    service: fc.constantFrom<0 | 1>(0, 1),
    rights: isOfStage ? OF_STAGE : OF_SERVICES,
    isNamed: weighted([5, true], [1, false]),
    first: chosen,
    second: chosen,
    ifMatch: weighted<Draw['ifMatch']>(
      ...([
        [8, 'none'],
        [4, 'current'],
        [3, 'stale'],
        [1, 'any'],
        [1, 'list'],
        [1, 'weak'],
        [1, 'malformed'],
      ] as const),
    ),
    key: weighted<Draw['key']>([14, 'none'], [5, 'new'], [1, 'used'], [1, 'malformed']),
    body: body ?? nothing<unknown>(undefined),
    query: query ?? nothing<Readonly<Record<string, string>>>({}),
  });

const HOSTILE_IDS = [
  ...['sub_1 ', 'sub_\u0000', 'sub_1?x=1', 'sub_1#', "sub_1'--", '{"$ne":1}', '*', '日本', '__proto__'],
  ...['sub', 'msg', 'rec', 'sec', 'ses'].map((kind) => `${kind}_${'a'.repeat(65)}`),
];

/** The parameters of a path, and the own subscription and message that they name. */
export function paramsOf(path: string, { first, second }: Draw, at: Pick<Where, 'service' | 'stranger'>) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params: Record<string, string> = {};
  let subscription: KnownSubscription | undefined;
  for (const [index, name] of names.entries()) {
    const { whose, pick } = index === 0 ? first : second;
    const hostile = HOSTILE_IDS[pick % HOSTILE_IDS.length] as string;
    const ids =
      whose === 'hostile'
        ? [hostile]
        : idsOf(name, whose, whose === 'stranger' ? at.stranger : at.service, subscription);
    params[name] = ids[pick % Math.max(1, ids.length)] ?? `${name.slice(0, 3)}_none`;
    if (name === 'subscription_id') {
      subscription = [...at.service.subscriptions, ...at.stranger.subscriptions].find(
        ({ id }) => id === params[name],
      );
    }
  }
  const isOwn = (one: KnownSubscription) => one.id === params.subscription_id && !one.isDeleted;
  return {
    params,
    subscription: at.service.subscriptions.find(isOwn),
    message: at.service.messages.find(({ id }) => id === params.message_id),
  };
}

function idsOf(
  name: string,
  whose: Whose,
  of: KnownService,
  subscription: KnownSubscription | undefined,
): string[] {
  if (whose === 'unknown') {
    return [];
  }
  const all = whose === 'own' && subscription !== undefined ? [subscription] : of.subscriptions;
  switch (name) {
    case 'subscription_id':
      return of.subscriptions
        .filter(({ isDeleted }) => isDeleted === (whose === 'deleted'))
        .map(({ id }) => id);
    case 'secret_id':
      return all.flatMap(({ secrets }) => secrets.map(({ id }) => id));
    case 'recovery_id':
      return all.flatMap(({ recovery }) => recovery ?? []);
    case 'message_id':
      return of.messages.map(({ id }) => id);
    case 'session_id':
      return of.sessions.map(({ id }) => id);
    case 'payment_id':
      return ['pay_shared', 'pay_none'];
    case 'event_type':
      return ['card_payment_captured', 'CAPTURE_CONFIRMED', 'ping'];
    default:
      throw new Error(`add ids of the parameter ${name}`);
  }
}
