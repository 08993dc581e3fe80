import type { KnownType } from './event-type-file.ts';

/** Names and aliases that two types claim, and successors that do not exist. */
export function faultsOfNames(known: readonly KnownType[]): string[] {
  const claims = known.flatMap(({ source, type: { name, aliases = [] } }) => [
    { source, name, as: 'name' },
    ...aliases.map((alias) => ({ source, name: alias, as: 'alias' })),
  ]);
  const twice = [...Map.groupBy(claims, ({ name }) => name)].flatMap(([name, those]) =>
    those.length < 2
      ? []
      : [
          `${name} must stand for one type, and is given as ${those
            .map(({ source, as }) => `${as} in ${source}`)
            .join(', ')}: rename all but one.`,
        ],
  );
  const names = new Set(known.map(({ type }) => type.name));
  const astray = known.flatMap(({ source, type: { name, deprecated } }) => {
    const successor = deprecated?.successor;
    return successor === undefined || (names.has(successor) && successor !== name)
      ? []
      : [
          `${source}: deprecated.successor must be the name of another type in this catalogue (given: ${JSON.stringify(successor)})`,
        ];
  });
  return [...twice, ...astray];
}
