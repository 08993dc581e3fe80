/** A rule broken on purpose: in one file a text, which stands there once, is replaced by another. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where it shows. @default - in the worlds of seeds */
  readonly world?: SpecialWorld;
}

/** Worlds in which dead letters are put back, or a partner fetches messages. */
export type SpecialWorld = 'redriven' | 'pulled';

/**
 * @param files of a folder, by path without `.ts`: each rule that is broken, its text, and what replaces that
 */
export function inFolder(
  folder: string,
  files: Readonly<Record<string, readonly (readonly [name: string, from: string, to: string])[]>>,
): Mutation[] {
  return Object.entries(files).flatMap(([path, rules]) =>
    rules.map(([name, from, to]) => ({ name, file: `${folder}/${path}.ts`, from, to })),
  );
}
