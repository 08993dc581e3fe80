import path from 'node:path';
import { type Catalogue, catalogueOf } from '../../functions/core/catalogue/catalogue.ts';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import { PROJECT } from '../project-paths.ts';
import { refuse } from './catalogue-error.ts';
import { type GivenType, type KnownType, readEventType } from './event-type-file.ts';
import { filesIn } from './folder.ts';
import { resourceChecks } from './resource-schemas.ts';

/**
 * What API Gateway passes on is 6 MB, and the OpenAPI document has all of it. In bytes of JSON in UTF-8.
 * Source: "Lambda quotas", AWS Lambda Developer Guide, invocation payload.
 */
const LARGEST_CATALOGUE_BYTES = 4 * 1024 * 1024;

/** The event types of a stage, checked. docs/publishing.md, "Your event types". */
export class EventCatalogue {
  static readonly #govUkPay = new EventCatalogue(() =>
    checked(filesIn(path.join(PROJECT, 'events/gov-uk-pay'))),
  );
  readonly #read: () => readonly EventType[];
  #types: readonly EventType[] | undefined;

  private constructor(read: () => readonly EventType[]) {
    this.#read = read;
  }

  /**
   * One type in each file whose name ends in `.json`, `.yaml` or `.yml`, in the order of their names; other
   * files are ignored. Folders inside are read, too.
   *
   * @throws CatalogueError that names each file and what to change
   */
  static fromDirectory(folder: string): EventCatalogue {
    return EventCatalogue.#of(checked(filesIn(folder)));
  }

  /** @throws CatalogueError that names each type and what to change */
  static fromTypes(types: readonly EventType[]): EventCatalogue {
    return EventCatalogue.#of(
      checked(
        types.map((value, index) => ({ source: `type ${index + 1} of the list (${value.name})`, value })),
      ),
    );
  }

  /**
   * The events of GOV.UK Pay, in the shape that its publishers and partners know. Read when first needed:
   * every command knows its stages, and few need their types.
   */
  static govUkPay(): EventCatalogue {
    return EventCatalogue.#govUkPay;
  }

  static #of(types: readonly EventType[]): EventCatalogue {
    return new EventCatalogue(() => types);
  }

  /** In the order in which people read them. */
  get types(): readonly EventType[] {
    this.#types ??= this.#read();
    return this.#types;
  }

  /** As functions use it. */
  get catalogue(): Catalogue {
    return catalogueOf(this.types);
  }
}

/** @throws CatalogueError */
function checked(given: readonly GivenType[]): readonly EventType[] {
  if (given.length === 0) {
    refuse(['The list of types is empty: a catalogue needs at least one event type.']);
  }
  const read = given.map(readEventType);
  refuse(read.flatMap(({ faults }) => faults));
  const known = read.flatMap(({ source, type }) => (type === undefined ? [] : [{ source, type }]));
  refuse([...faultsOfNames(known), ...resourceChecks(known)]);
  const types = known.map(({ type }) => type);
  const bytes = Buffer.byteLength(JSON.stringify(types));
  if (bytes > LARGEST_CATALOGUE_BYTES) {
    refuse([
      `All types together have ${bytes} bytes as JSON, of ${LARGEST_CATALOGUE_BYTES} at most: shorten schemas and samples.`,
    ]);
  }
  return types;
}

/** Names and aliases that two types claim, and successors that do not exist. */
function faultsOfNames(known: readonly KnownType[]): string[] {
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
