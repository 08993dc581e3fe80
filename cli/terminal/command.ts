import type * as z from 'zod';

/** An argument that is not an option; a command needs all of its arguments. */
export interface Argument {
  readonly help?: string;
  /** Checks the text and may turn it into another value. @default - any text */
  readonly check?: z.core.$ZodType;
}

/** A flag, or an option with a value. */
export interface Option extends Argument {
  /** What the help calls the value. @default - a flag */
  readonly value?: string;
  readonly default?: string;
  readonly required?: true;
  readonly isList?: true;
  readonly help: string;
}

export type Arguments = Readonly<Record<string, Argument>>;
export type Options = Readonly<Record<string, Option>>;

type Checked<Of extends Argument> = Of extends { check: infer Schema extends z.core.$ZodType }
  ? z.output<Schema>
  : string;
type ValueOf<Of extends Option> = Of extends { value: string }
  ? Of extends { isList: true }
    ? readonly string[] | undefined
    : Of extends { default: string } | { required: true }
      ? Checked<Of>
      : Checked<Of> | undefined
  : boolean;

/** What a person typed, checked. */
export type Given<A extends Arguments, O extends Options> = {
  readonly [Name in keyof A]: Checked<A[Name]>;
} & {
  readonly [Name in keyof O]: ValueOf<O[Name]>;
} & { readonly json: boolean };

type Values = Readonly<Record<string, unknown>>;

export interface Output {
  /** One piece of output: text for people, or with `--json` the object in one line. */
  print(text: string, json: unknown): void;
  /** Absent where nobody watches. */
  readonly progress?: (line: string) => void;
}

/** A command as data: its help and its errors are made of this. */
export interface Command<World> {
  /** One word, or two: `circuits open`. Empty: what the script does without one. */
  readonly name: string;
  /** Other words for it, as somebody may guess it. */
  readonly synonyms?: readonly string[];
  readonly summary: string;
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Arguments and options that can be typed as they are. */
  readonly example: string;
  /** What the help says below the options. */
  readonly remarks?: string;
  /** Prints no JSON, and so has no `--json`. */
  readonly isTextOnly?: true;
  /** When it cannot be run at all. @default 1 */
  readonly errorCode?: number;
  /** @throws ExplainedError when options do not go together */
  check?(given: Values & { readonly json: boolean }): void;
  /** Resolves to whether all is well, which is the exit code. */
  run(given: Values & { readonly json: boolean }, world: World & Output): Promise<boolean>;
}

interface TypedCommand<A extends Arguments, O extends Options, World> extends Command<World> {
  readonly arguments?: A;
  readonly options?: O;
  check?(given: Given<A, O>): void;
  run(given: Given<A, O>, world: World & Output): Promise<boolean>;
}

/** Makes commands that run in the same world; each knows the types of its own arguments and options. */
export function commandsIn<World>() {
  return <const A extends Arguments = Record<never, never>, const O extends Options = Record<never, never>>(
    command: TypedCommand<A, O, World>,
  ): Command<World> => command as Command<World>;
}

export interface CommandSet<World> {
  /** What is typed before a command: `npm run webhooks --`. */
  readonly script: string;
  readonly summary: string;
  readonly commands: readonly Command<World>[];
  /** What commands of two words have in common, by the first. */
  readonly groups?: Readonly<Record<string, string>>;
  /** What the overview says below the commands. */
  readonly remarks?: string;
}
