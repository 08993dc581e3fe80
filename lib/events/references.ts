import { DATA_KEYWORDS, MAP_KEYWORDS } from '../../functions/core/catalogue/schema-keywords.ts';
import { stepOf } from '../../functions/core/text/rfc-6901.ts';

type Node = Readonly<Record<string, unknown>>;

/** Keywords that give a schema an address of its own, by which others could mean it. */
const ADDRESSES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor'];
/** Keywords whose schemas apply to the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * What is wrong with the references of a schema: all must lead to a place in it, as `#` or `#/…`, and none
 * back to itself without a step into the value.
 */
export function faultOfReferences(schema: Node): string | undefined {
  const nodes = new Map<string, Node>();
  const fault = collected(schema, '#', nodes);
  if (fault !== undefined) {
    return fault;
  }
  const astray = [...nodes].find(([, { $ref }]) => typeof $ref === 'string' && !nodes.has(placeOf($ref)));
  if (astray !== undefined) {
    return `has $ref ${JSON.stringify(astray[1].$ref)} at ${astray[0]}, where there is no schema`;
  }
  const endless = [...nodes.keys()].find((place) => isEndless(place, nodes));
  return endless === undefined
    ? undefined
    : `refers to itself without end at ${endless}: a $ref back has to stand under properties, items or the like`;
}

/** Every schema in a schema of whose references nothing is wrong. */
export function schemasIn(schema: Node): readonly Node[] {
  const nodes = new Map<string, Node>();
  collected(schema, '#', nodes);
  return [...nodes.values()];
}

/**
 * Every schema in the schema, by its place; data left out.
 *
 * @param isMap whether its keys are names that somebody chose, not keywords
 */
function collected(of: unknown, place: string, nodes: Map<string, Node>, isMap = false): string | undefined {
  if (Array.isArray(of)) {
    return firstOf(of.map((one, index) => () => collected(one, `${place}/${index}`, nodes)));
  }
  if (typeof of === 'boolean') {
    nodes.set(place, {});
  }
  if (typeof of !== 'object' || of === null) {
    return undefined;
  }
  const node = of as Node;
  const parts = Object.entries(node).filter(([key]) => isMap || !DATA_KEYWORDS.includes(key));
  const look = () =>
    firstOf(
      parts.map(([key, value]) => () => {
        const at = `${place}/${stepOf(key)}`;
        return collected(value, at, nodes, !isMap && MAP_KEYWORDS.includes(key));
      }),
    );
  if (isMap) {
    return look();
  }
  nodes.set(place, node);
  const { $ref } = node;
  if (typeof $ref === 'string' && !/^#(\/|$)/.test($ref)) {
    return `has $ref ${JSON.stringify($ref)} at ${place}: nothing is read from the net or from other files; put it under $defs and refer to it as "#/$defs/…"`;
  }
  const address = ADDRESSES.find((keyword) => typeof node[keyword] === 'string' || node[keyword] === true);
  if (address !== undefined) {
    return `has ${address} at ${place}: put what is used twice under $defs and refer to it as "#/$defs/…"`;
  }
  return look();
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const fault = look();
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

/** Whether applying the schema there would apply it again to the same value. */
function isEndless(start: string, nodes: ReadonlyMap<string, Node>): boolean {
  const seen = new Set<string>();
  let next = appliedAt(start, nodes);
  while (next.length > 0) {
    if (next.includes(start)) {
      return true;
    }
    for (const place of next) {
      seen.add(place);
    }
    next = [...new Set(next.flatMap((place) => appliedAt(place, nodes)))].filter((place) => !seen.has(place));
  }
  return false;
}

/** The places of the schemas that apply to the same value as the schema there. */
function appliedAt(place: string, nodes: ReadonlyMap<string, Node>): string[] {
  const node = nodes.get(place) ?? {};
  const within = IN_PLACE.flatMap((keyword) => {
    const value = node[keyword];
    const isOne = ['not', 'if', 'then', 'else'].includes(keyword);
    const at = `${place}/${keyword}`;
    return value === undefined
      ? []
      : isOne
        ? [at]
        : Object.keys(value as object).map((key) => `${at}/${stepOf(key)}`);
  });
  return typeof node.$ref === 'string' ? [placeOf(node.$ref), ...within] : within;
}

/** Source: RFC 6901, section 6. */
function placeOf(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}
