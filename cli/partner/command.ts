import type { ApiClient } from './api-client.ts';
import type { Colors } from './text/delivery-line.ts';

/** An option of a command: a flag, or one with a value that the help calls by this name. */
export interface Option {
  readonly value?: string;
  /** May be given more than once. */
  readonly isList?: boolean;
  readonly help: string;
}

/** What a person has typed, as far as it is read. */
export interface Given {
  /** Arguments that are no options, by name. */
  readonly named: Readonly<Record<string, string>>;
  text(option: string): string | undefined;
  list(option: string): readonly string[] | undefined;
  flag(option: string): boolean;
}

/** What a command needs of the world around it. */
export interface World {
  readonly api: ApiClient;
  /** One piece of output: text for people; with `--json` the object as one line. */
  print(text: string, json: unknown): void;
  /** Progress, where somebody watches. */
  progress(line: string): void;
  readonly colors: Colors;
  now(): number;
  /** Resolves after so many ms; rejects when the command is interrupted. */
  wait(ms: number): Promise<void>;
}

export interface Command {
  readonly name: string;
  /** Names of its arguments that are no options, all needed. */
  readonly takes: readonly string[];
  readonly summary: string;
  /** What its help tells below the options. */
  readonly remarks?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Resolves to whether all is well, which is the exit code. */
  run(given: Given, world: World): Promise<boolean>;
}
