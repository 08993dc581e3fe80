import { Duration, Token } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { reasonOf } from '../functions/core/errors/error-reason.ts';

export const flag = z.optional(z.boolean());

/** Not by its class: a second copy of the CDK has classes of its own. */
export const has = (member: string, value: unknown) =>
  typeof value === 'object' && value !== null && member in value;
export const must = (member: string, what: string) =>
  z.custom<object>((value) => has(member, value), `must be ${what}`);

/** A Duration between two bounds, in whole units. */
export function duration(least: Duration, most: Duration, unit = Duration.seconds(1)) {
  const range = `must be a Duration of ${least.toHumanString()} to ${most.toHumanString()}, in whole ${unit.unitLabel()}`;
  const fits = (value: unknown) => {
    const given = value as Partial<Duration> | undefined;
    if (typeof given?.toMilliseconds !== 'function' || given.isUnresolved?.()) {
      return false;
    }
    const ms = given.toMilliseconds({ integral: false });
    return (
      ms >= least.toMilliseconds() &&
      ms <= most.toMilliseconds() &&
      Number.isInteger(ms / unit.toMilliseconds())
    );
  };
  return z.custom<Duration>(fits, range);
}

const reason = (issue: z.core.$ZodRawIssue) => {
  if (issue.code === 'unrecognized_keys') {
    const { shape } = (issue.inst as z.ZodMiniObject)._zod.def;
    return `has no ${issue.keys.join(', ')}, only ${Object.keys(shape).join(', ')}`;
  }
  if (Number.isNaN(issue.input)) {
    return 'must be a number';
  }
  return Token.isUnresolved(issue.input) ? 'must be known at synthesis' : reasonOf(issue);
};

function shown(given: unknown): string {
  if (Token.isUnresolved(given)) {
    return 'a token';
  }
  if (given instanceof Duration) {
    return given.toHumanString();
  }
  if (Array.isArray(given)) {
    return `a list of ${given.length}`;
  }
  return typeof given === 'object' && given !== null
    ? `an object with ${Object.keys(given).join(', ') || 'nothing'}`
    : typeof given === 'string'
      ? JSON.stringify(given)
      : String(given);
}

/** What is wrong with props. @param except whose values may be anything, such as what only the deployment knows */
export function faultsOf(
  schema: z.core.$ZodType,
  props: object,
  except: (value: unknown) => boolean = () => false,
): string[] {
  const { error } = z.safeParse(schema, props, { error: reason });
  return (error?.issues ?? []).flatMap(({ path, message }) => {
    const values = path.reduce<unknown[]>(
      ([value, ...others], name) => [(value as Record<PropertyKey, unknown>)?.[name], value, ...others],
      [props],
    );
    const given = path.length === 0 ? '' : `: ${shown(values[0])} given`;
    return values.some(except) ? [] : [`${path.join('.') || 'props'} ${message}${given}`];
  });
}
