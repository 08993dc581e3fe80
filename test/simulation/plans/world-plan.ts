import * as fc from 'fast-check';
import { SIGNAL_KINDS, type SignalKind } from '../../../functions/core/signal/signal.ts';
import { POLLER } from '../../../lib/pollers.ts';
import { type FaultPlan, NO_FAULTS } from '../faults.ts';
import { healedFromMs } from '../people/healing.ts';
import { narrowings, type Taste } from '../people/narrowing.ts';
import { type BusPlan, busPlan, doorsPlan, throughBus, throughDoors } from './bus-plan.ts';
import { type CataloguePlan, cataloguePlan } from './catalogue-plan.ts';
import { frozenPlan, type InputsPlan, inputsPlan, withTrouble } from './inputs-plan.ts';
import { type PolicyName, policyName, policyNamed } from './policy-plan.ts';
import { type CrowdPlan, crowdPlan, type PublicationPlan, publicationPlans } from './publication-plan.ts';
import { type QuietPlan, quieted, quietPlan, spreadOut } from './quiet-plan.ts';
import { type CancelPlan, cancelPlans, choice, type RequestPlan, requestPlan } from './request-plan.ts';
import { amongServices, type ServicesPlan, servicesPlan } from './services-plan.ts';
import { type SubscriptionPlan, subscriptionPlan } from './subscription-plan.ts';
import { misfitting, type ValidationPlan, validationPlan } from './validation-plan.ts';

/** A stray signal, in ms from the start. */
interface StrayPlan {
  readonly atMs: number;
  readonly subscription: number;
  readonly payment: number;
  readonly signalKind: SignalKind;
}

export interface WorldPlan {
  readonly dice: number;
  readonly policy: PolicyName;
  readonly subscriptions: readonly SubscriptionPlan[];
  readonly publications: readonly PublicationPlan[];
  readonly crowd?: CrowdPlan | undefined;
  readonly strays: readonly StrayPlan[];
  readonly requests: RequestPlan;
  readonly faults: FaultPlan;
  /** The longest lag of an index. */
  readonly lagMs: number;
  /**
   * How far the workers' clocks are behind those of SQS and of the publishers, and by how much they differ.
   */
  readonly clockBehindMs: number;
  readonly clocksDifferMs: number;
  readonly workers: { readonly match: number; readonly deliver: number; readonly wake: number };
  /**
   * Provisioned pollers of `match` and of `deliver` each, which hold ten workers. @default - Lambda's own
   */
  readonly pollers?: number | undefined;
  /** Invocations under way in one environment, which they share. @default 1 */
  readonly sideBySide?: number | undefined;
  /** Already in the publications. */
  readonly bus?: BusPlan | undefined;
  /** Undefined: all belongs to one. */
  readonly services?: ServicesPlan | undefined;
  readonly cancels?: readonly CancelPlan[] | undefined;
  /** How late workers hear of answers and timers, as they have too little CPU. */
  readonly lateHearingMs?: number | undefined;
  /** Already in the subscriptions. */
  readonly inputs?: InputsPlan | undefined;
  /** Already in the publications and subscriptions. */
  readonly quiet?: QuietPlan | undefined;
  /** Undefined: GOV.UK Pay's. */
  readonly catalogue?: CataloguePlan | undefined;
  /**
   * Endpoints have to prove themselves: from when those of each subscription repeat challenges, in ms from the
   * start. Undefined: no proof is asked for.
   */
  readonly proof?: readonly number[] | undefined;
  /** Which events do not fit is already in the publications. */
  readonly validation?: ValidationPlan | undefined;
}

const probability = fc.constantFrom(0, 0, 0.01, 0.05, 0.15);
/** With more, a batch of dozens of calls would never end. */
const rarely = fc.constantFrom(0, 0, 0.01, 0.05);

const faults: fc.Arbitrary<FaultPlan> = fc.record({
  // Long enough for a second run of `match` after SQS has forgotten the first.
  untilMs: fc.integer({ min: 1_000, max: 420_000 }),
  crash: rarely,
  reject: probability,
  partial: probability,
  stall: fc.constantFrom(0, 0, 0.02, 0.1),
  repeated: fc.constantFrom(0, 0, 0.05, 0.3),
  lostRelease: probability,
  lostTimer: fc.constantFrom(0, 0, 0.1, 0.5, 1),
  doubledTimer: fc.constantFrom(0, 0, 0.2, 1),
  lateTimer: probability,
  outage: fc.oneof(
    { weight: 6, arbitrary: fc.constant({ fromMs: 0, untilMs: 0 }) },
    fc.record({
      fromMs: fc.integer({ min: 0, max: 20_000 }),
      untilMs: fc.integer({ min: 1_000, max: 120_000 }),
    }),
  ),
  undeleted: probability,
  lateStart: fc.constantFrom(0, 0, 0, 0.1, 0.5),
  freeze: fc.constantFrom(0, 0, 0, 0.01, 0.05),
  unreadable: fc.constantFrom(0, 0, 0, 0.1, 0.3),
  throttled: fc.constantFrom(0, 0, 0, 0, 0.1, 0.3),
  // In worlds of its own: `poison.test.ts`.
  poison: fc.constant(0),
});

/** Clocks may differ by a minute: with more, a publisher's repeat is not recognised. */
const TOLERATED_MS = 60_000;

const clockBehindMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: TOLERATED_MS - 5_000 }) },
  { weight: 1, arbitrary: fc.constant(3 * TOLERATED_MS) },
);

/** What happens is then up to endpoints. */
function calm(lagMs: number, freeze = 0) {
  const faults = freeze === 0 ? NO_FAULTS : { ...NO_FAULTS, untilMs: 60_000, freeze, freezesAt: 'commit' };
  return { faults, lagMs: Math.min(lagMs, 500), clocksDifferMs: 0, clockBehindMs: 0 };
}

const stray = fc.record({
  atMs: fc.integer({ min: 0, max: 120_000 }),
  subscription: fc.integer({ min: 0, max: 3 }),
  payment: fc.integer({ min: 0, max: 4 }),
  signalKind: fc.constantFrom(...SIGNAL_KINDS),
});

const provesFromMs = fc.constantFrom(0, 0, 10_000, 90_000, 400_000);

const taste = fc.constantFrom<Taste[]>(undefined, undefined, 'filter', 'fields');

export const worldPlan: fc.Arbitrary<WorldPlan> = fc
  .tuple(policyName, fc.boolean())
  .chain(([policy, isFaultless]) =>
    fc.record({
      dice: fc.noShrink(fc.integer()),
      policy: fc.constant(policy),
      subscriptions: fc.array(subscriptionPlan(policyNamed(policy)), { minLength: 1, maxLength: 3 }),
      publications: publicationPlans(policyNamed(policy)),
      crowd: crowdPlan,
      strays: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(stray, { maxLength: 6 })),
      requests: requestPlan(policyNamed(policy)),
      faults: isFaultless ? fc.constant(NO_FAULTS) : faults,
      lagMs: isFaultless
        ? fc.constantFrom(20, 20, 500, 300_000)
        : fc.constantFrom(20, 1_000, 5_000, 30_000, 300_000),
      clockBehindMs,
      clocksDifferMs: fc.constantFrom(0, 0, 0, 400, 400, 4_000),
      workers: fc.oneof(
        { weight: 3, arbitrary: fc.constant({ match: 17, deliver: 50, wake: 10 }) },
        fc.constant({ match: 2, deliver: 2, wake: 2 }),
      ),
      // Drawn last, so that the rest of a seed's world stays the same.
      sideBySide: fc.constantFrom(1, 1, 1, 4, 64),
      bus: busPlan,
      services: servicesPlan,
      inputs: inputsPlan(policyNamed(policy)),
      quiet: quietPlan(policyNamed(policy)),
      doors: doorsPlan,
      lateHearingMs: fc.oneof({ weight: 11, arbitrary: fc.constant(undefined) }, fc.constantFrom(300, 1_500)),
      cancels: cancelPlans,
      // Lambda adds more only once it has noticed.
      pollers: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(2, 4) },
      ),
      catalogue: cataloguePlan,
      validation: validationPlan,
      tastes: fc.tuple(taste, taste, taste),
      proof: fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.tuple(provesFromMs, provesFromMs, provesFromMs) },
      ),
      narrowings: fc.tuple(narrowings, narrowings, narrowings),
      choices: fc.tuple(choice, choice, choice),
      frozen: frozenPlan(policyNamed(policy)),
    }),
  )
  .map(({ frozen, inputs, ...plan }) => ({ ...plan, inputs: frozen ?? inputs }))
  .map(({ doors, tastes, narrowings, choices, ...plan }) => ({
    ...plan,
    requests: {
      ...plan.requests,
      recoveries: plan.requests.recoveries.map((one, index) => ({ ...one, choice: choices[index] })),
    },
    ...(plan.inputs?.isCalm ? calm(plan.lagMs, plan.inputs.freeze) : {}),
    ...(plan.pollers === undefined ? {} : { workers: heldBy(plan.pollers, plan.workers) }),
    subscriptions: withTrouble(quieted(plan.subscriptions, plan.quiet), plan.inputs).map((one, index) => ({
      ...one,
      taste: tastes[index],
      narrowings: narrowings[index] ?? [],
    })),
    publications: throughDoors(
      throughBus(
        amongServices(spreadOut(misfitting(plan.publications, plan.validation), plan.quiet), plan.services),
        plan.bus,
      ),
      doors,
    ),
  }))
  .map((plan) => (plan.clockBehindMs <= TOLERATED_MS ? plan : { ...plan, publications: unrepeated(plan) }));

function heldBy(pollers: number, { wake }: WorldPlan['workers']): WorldPlan['workers'] {
  const workers = POLLER.invocations * pollers;
  return { match: workers, deliver: workers, wake };
}

function unrepeated({ publications }: Pick<WorldPlan, 'publications'>): PublicationPlan[] {
  return publications.map((publication) => ({ ...publication, repeats: [] }));
}

/** From then on nothing of ours fails, in ms from the start. */
export function mendedFromMs({ subscriptions, faults }: WorldPlan): number {
  return Math.max(
    faults.untilMs,
    faults.outage.untilMs,
    ...subscriptions.map(({ secretlessUntilMs }) => secretlessUntilMs),
  );
}

/** From then on nothing fails at all, in ms from the start. */
export function wellFromMs(plan: WorldPlan): number {
  return Math.max(
    mendedFromMs(plan),
    ...(plan.proof ?? []),
    ...plan.strays.map(({ atMs }) => atMs),
    ...[
      ...plan.requests.pings,
      ...plan.requests.resends,
      ...plan.requests.recoveries,
      ...(plan.cancels ?? []),
    ].map(({ atMs }) => atMs),
    ...plan.subscriptions.flatMap(({ receiver, partnerActs, changes, narrowings = [] }) => [
      healedFromMs(receiver),
      ...[...partnerActs, ...changes, ...narrowings].map(({ atMs }) => atMs),
      ...changes.map((change) => (change.kind === 'url' ? healedFromMs(change.receiver) : 0)),
    ]),
  );
}
