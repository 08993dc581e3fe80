/**
 * The environment of a function, typed: each function declares the names it needs once and the stack sets exactly those.
 *
 * @throws when one is missing, naming it: a function that is wired wrongly ends at cold start, not at its first message.
 */
export function readEnv<const Name extends string>(
  names: readonly Name[],
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new Error(
      `environment: ${missing.join(', ')} not set; the stack that deploys this function has to set it`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}
