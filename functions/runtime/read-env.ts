/**
 * The typed environment of a function: each function declares the variables it needs once, and the stack sets
 * exactly those.
 *
 * @throws when one is missing, naming it: a wrongly wired function fails at cold start, not at its first
 * message
 */
export function readEnv<const Name extends string>(
  names: readonly Name[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Error(
      `missing environment variables: ${missing.join(', ')}; the stack that deploys this function must set them`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}
