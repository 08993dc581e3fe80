/**
 * Which events a subscription wants, in the language of EventBridge's event patterns: pure data. All names of
 * an object must match, and one value of each list; of `$or`, one object.
 */
export interface Pattern {
  readonly [name: string]: Pattern | Leaf | readonly Pattern[];
}

/** The values that a member may have. */
export type Leaf = readonly Test[];

export type Scalar = string | number | boolean | null;

type Text = string | { readonly 'equals-ignore-case': string };
type Some<Of> = Of | readonly Of[];
export type Bound = '<' | '<=' | '=' | '>=' | '>';

/** One of these members. */
export interface Operator {
  readonly prefix?: Text;
  readonly suffix?: Text;
  readonly 'equals-ignore-case'?: string;
  readonly 'anything-but'?:
    | Some<string | number>
    | {
        readonly prefix?: Some<string>;
        readonly suffix?: Some<string>;
        readonly 'equals-ignore-case'?: Some<string>;
      };
  /** One comparison, or two: `[">=", 100, "<", 200]`. A number of more than 15 digits is text. */
  readonly numeric?: readonly (Bound | number | string)[];
  readonly exists?: boolean;
}

export type Test = Scalar | Operator;

export const OR = '$or';

/** The members of an event that a filter may look at, as a webhook says them. Text, unless said otherwise. */
export interface FilteredEvent {
  readonly event_type: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly payment_id: string;
  readonly created_date: string;
  /** Absent: the event has no number. */
  readonly sequence?: number;
  /** See `parseExactly`. */
  readonly resource: unknown;
}

/** What a filter may look at besides `resource`, and whether it is a number. */
export const FIELDS: Readonly<Record<Exclude<keyof FilteredEvent, 'resource'>, 'text' | 'number'>> = {
  event_type: 'text',
  resource_type: 'text',
  resource_id: 'text',
  payment_id: 'text',
  created_date: 'text',
  sequence: 'number',
};
