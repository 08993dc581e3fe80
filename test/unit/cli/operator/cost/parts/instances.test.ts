import { billed, functionsOf } from '../../../../../../cli/operator/cost/functions.ts';
import { besideLambda } from '../../../../../../cli/operator/cost/parts/compute.ts';
import { instanceHours, instancesFor } from '../../../../../../cli/operator/cost/parts/instances.ts';
import type { Traffic } from '../../../../../../cli/operator/cost/traffic.ts';
import { priceOf } from '../../../../../../cli/operator/cost/usage.ts';
import { PRICES } from '../../../../../../lib/prices.ts';
import { lambda } from '../stage.ts';

const A_SECOND: Traffic = {
  eventsPerDay: 86_400,
  subscriptions: 1,
  partners: 1,
  partnerMs: 200,
  bodyBytes: 1_024,
  failedShare: 0,
};
const alone = { batches: { match: 1, deliver: 1 } };

test('three instances are there whatever comes, and more with the traffic', () => {
  expect(instancesFor({ ...A_SECOND, eventsPerDay: 0 }, alone)).toBe(3);
  expect(instancesFor(A_SECOND, alone)).toBe(3);
  expect(instancesFor({ ...A_SECOND, eventsPerDay: 86_400 * 1_000 }, alone)).toBeGreaterThan(3);
});

test('a slow partner takes places, and a failure takes CPU', () => {
  const busy = { ...A_SECOND, eventsPerDay: 86_400 * 1_000 };
  const usual = instancesFor(busy, alone);
  expect(instancesFor({ ...busy, partnerMs: 5_000 }, alone)).toBeGreaterThan(usual);
  expect(instancesFor({ ...busy, failedShare: 1 }, alone)).toBeGreaterThan(usual);
  expect(instancesFor(busy, { batches: { match: 10, deliver: 10 } })).toBeLessThan(usual);
});

test('an instance costs its price and 15 % for Lambda', () => {
  expect(priceOf(instanceHours(1), PRICES)).toBeCloseTo(730 * PRICES.instanceHour * 1.15, 6);
});

test('on instances the time of a function is not billed, and its requests are', () => {
  const onLambda = lambda('deliver');
  const onInstances = { ...onLambda, properties: { ...onLambda.properties, CapacityProviderConfig: {} } };
  const used = { lambdaRequest: 2, lambdaGbSecond: 3 };
  const of = (one: typeof onLambda) => billed(functionsOf([one]).get('deliver'), used);
  expect(of(onLambda)).toEqual(used);
  expect(of(onInstances)).toEqual({ lambdaRequest: 2 });
});

test('the traffic from which instances cost less is found within a thousandth', () => {
  const perEvent = (dollars: number, idle: number) => (traffic: Traffic) =>
    idle + dollars * traffic.eventsPerDay;
  const found = besideLambda(A_SECOND, perEvent(0.002, 0), perEvent(0.001, 86.4));
  expect(found.perMonth).toBeCloseTo(172.8, 6);
  expect(found.instancesWin?.from.eventsPerSecond).toBeCloseTo(1, 2);
  expect(found.instancesWin).not.toHaveProperty('until');
  expect(besideLambda(A_SECOND, perEvent(0.001, 0), perEvent(0.001, 1))).not.toHaveProperty('instancesWin');
});

test('where Lambda costs less again is told, too', () => {
  const onLambda = ({ eventsPerDay }: Traffic) => Math.min(eventsPerDay * 0.002, 864);
  const onInstances = ({ eventsPerDay }: Traffic) => 86.4 + eventsPerDay * 0.001;
  const { instancesWin } = besideLambda(A_SECOND, onLambda, onInstances);
  expect(instancesWin?.from.eventsPerSecond).toBeCloseTo(1, 2);
  expect(instancesWin?.until?.eventsPerSecond).toBeCloseTo(9, 1);
});
