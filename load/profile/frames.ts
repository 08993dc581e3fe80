import { SourceMap, type SourceMapPayload } from 'node:module';

/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Id of the running node, one per sample. */
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly children?: readonly number[];
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    /** From 0. */
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
}

/** A function and its callees, at one place in the call tree. Times in ms. */
export interface Frame {
  readonly name: string;
  /**
   * A package, `our own code`, `the meter itself`, `Node`, or an activity of V8 such as `(garbage
   * collector)`.
   */
  readonly part: string;
  readonly selfMs: number;
  readonly totalMs: number;
  readonly children: readonly Frame[];
}

/** V8's name for idle time. */
const IDLE = '(idle)';

/**
 * Hands events to the function and takes its answers: on Lambda, another program. The function's work on its
 * behalf is not its own.
 */
const HARNESS = /child_process|inspector|function-process/;
const isFunction = ({ callFrame }: ProfileNode) => callFrame.url.endsWith('/index.mjs');

/** The call tree of a profile, with the names from before minification and without idle time. */
export function framesOf(profile: CpuProfile, map: SourceMapPayload): Frame {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = new Map<number, number>();
  for (const [index, id] of profile.samples.entries()) {
    self.set(id, (self.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1_000);
  }
  const sources = new SourceMap(map);
  const top = profile.nodes[0];
  const childrenOf = ({ children = [] }: Pick<ProfileNode, 'children'>) =>
    children.flatMap((id) => nodes.get(id) ?? []);
  const withoutHarness = (node: ProfileNode): ProfileNode[] =>
    childrenOf(node).flatMap((child) => (isFunction(child) ? child : withoutHarness(child)));
  const children = merged(childrenOf(top ?? {}));
  return frame('all', '', 0, children);

  function merged(siblings: readonly ProfileNode[]): Frame[] {
    const own = siblings.flatMap((node) => (HARNESS.test(node.callFrame.url) ? withoutHarness(node) : node));
    const busy = own.filter(({ callFrame }) => callFrame.functionName !== IDLE);
    const alike = Map.groupBy(busy, (node) => JSON.stringify(named(node)));
    return [...alike].map(([name, group]) => {
      const [said, part] = JSON.parse(name) as [string, string];
      const below = merged(
        group.flatMap(({ children = [] }) => children.flatMap((id) => nodes.get(id) ?? [])),
      );
      return frame(
        said,
        part,
        group.reduce((sum, { id }) => sum + (self.get(id) ?? 0), 0),
        below,
      );
    });
  }

  function named(node: ProfileNode): readonly [name: string, part: string] {
    const { functionName, url, lineNumber, columnNumber } = node.callFrame;
    if (!isFunction(node)) {
      const isV8 = functionName.startsWith('(');
      return [functionName || '(anonymous)', isV8 ? functionName : url === '' ? 'native code' : 'Node'];
    }
    const entry = sources.findEntry(lineNumber, columnNumber);
    if (!('originalSource' in entry)) return [functionName || '(anonymous)', 'our own code'];
    const file = entry.originalSource.replace(/^.*?(?=(?:functions|node_modules)\/)/, '');
    const place = `${file.replace(/^.*node_modules\//, '')}:${entry.originalLine + 1}`;
    // Node sets it, but its types lack it.
    const name: unknown = Reflect.get(entry, 'name') ?? functionName;
    return [`${name} ${place}`.trim(), partOf(file)];
  }
}

function frame(name: string, part: string, selfMs: number, children: readonly Frame[]): Frame {
  const sorted = [...children].sort((a, b) => b.totalMs - a.totalMs);
  return {
    name,
    part,
    selfMs,
    totalMs: sorted.reduce((sum, { totalMs }) => sum + totalMs, selfMs),
    children: sorted,
  };
}

function partOf(file: string): string {
  if (file.startsWith('functions/telemetry/aws-meter')) return 'the meter itself';
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'our own code';
}

/** Self time by part or by name, longest first. */
export function selfTimes(top: Frame, by: 'part' | 'name'): [name: string, ms: number][] {
  const times = new Map<string, number>();
  const visit = (one: Frame): void => {
    if (one.selfMs > 0) times.set(one[by], (times.get(one[by]) ?? 0) + one.selfMs);
    one.children.forEach(visit);
  };
  visit(top);
  return [...times].sort(([, a], [, b]) => b - a);
}

/** Total time by name, callees included, longest first. A recursive function counts once. */
export function totalTimes(top: Frame): [name: string, ms: number][] {
  const times = new Map<string, number>();
  const visit = (one: Frame, above: ReadonlySet<string>): void => {
    if (!above.has(one.name)) times.set(one.name, (times.get(one.name) ?? 0) + one.totalMs);
    const here = new Set(above).add(one.name);
    for (const child of one.children) visit(child, here);
  };
  for (const child of top.children) visit(child, new Set());
  return [...times].sort(([, a], [, b]) => b - a);
}
