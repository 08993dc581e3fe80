/**
 * The name of an event type or an alias: 1 to 64 letters, digits, `.`, `_` or `-`, the first a letter or
 * digit. It becomes part of paths, anchors and attributes.
 */
export const TYPE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const NOT_A_TYPE_NAME =
  'must be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit';

/** An exact event type, or a prefix followed by `*`; `*` alone matches all. */
export const TYPE_PATTERN = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}|(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?\*)$/;
export const NOT_A_TYPE_PATTERN = 'must be the name of an event type, or a prefix of one followed by *';

/** A kind of event that publishers send and partners subscribe to. */
export interface EventType {
  /** What partners see and subscribe to. */
  readonly name: string;
  /** One line of text for partners. */
  readonly description: string;
  /** A heading under which it is listed with others. */
  readonly group?: string;
  /** Further names that publishers may send. Partners do not see them. */
  readonly aliases?: readonly string[];
  /** What its resource is. Absent: whatever the publisher says. */
  readonly resource_type?: string;
  /** JSON Schema (draft 2020-12) of its resource. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** A resource, such as test pings carry. */
  readonly sample?: Readonly<Record<string, unknown>>;
  /** Present: nobody should subscribe to it any more. */
  readonly deprecated?: { readonly successor?: string };
}
