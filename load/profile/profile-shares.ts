/** A CPU profile as Node writes it: the members that are needed. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** In microseconds, before each sample. */
  readonly timeDeltas: readonly number[];
}

/** esbuild names the file of what follows. */
const FILE = /^\s*\/\/ (?:\.\.\/)*((?:node_modules|functions)\/\S+)$/;
/** While a process warms up, it compiles. */
const WARM_UP_SHARE = 0.25;

/**
 * Whose code the samples of a profile were in, or had called: a package, `ours`, or `node` where nobody is on
 * the stack, as when a socket writes.
 *
 * @param bundle the profiled bundle, not minified
 * @returns shares of the time that the process was not idle, the largest first
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  bundle: { readonly url: string; readonly text: string },
): readonly (readonly [owner: string, share: number])[] {
  const owners: string[] = [];
  for (const line of bundle.text.split('\n')) {
    const [, file] = FILE.exec(line) ?? [];
    owners.push(file === undefined ? (owners.at(-1) ?? 'node') : ownerOf(file));
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const ownerAt = (id: number | undefined): string => {
    const frame = id === undefined ? undefined : byId.get(id)?.callFrame;
    if (frame === undefined) return 'node';
    if (frame.url === bundle.url) return owners[frame.lineNumber] ?? 'node';
    if (/^\(garbage|^\(idle/.test(frame.functionName)) return frame.functionName;
    return frame.url.startsWith('file:') ? 'this profile' : ownerAt(parents.get(id!));
  };
  const sums = new Map<string, number>();
  for (let index = Math.floor(samples.length * WARM_UP_SHARE); index < samples.length; index += 1) {
    const owner = ownerAt(samples[index]);
    sums.set(owner, (sums.get(owner) ?? 0) + (timeDeltas[index] ?? 0));
  }
  sums.delete('(idle)');
  const all = [...sums.values()].reduce((total, one) => total + one, 0);
  return [...sums]
    .map(([owner, sum]) => [owner, sum / all] as const)
    .toSorted(([, one], [, other]) => other - one);
}

/** The SDK's packages are one, and so are those of Powertools. The meter runs only in the lab. */
function ownerOf(file: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (name === undefined) return file.startsWith('functions/telemetry/aws-meter') ? 'this profile' : 'ours';
  if (/^@(aws-sdk|smithy)\//.test(name)) return 'AWS SDK';
  return name.startsWith('@aws-lambda-powertools/') ? 'Powertools' : name;
}
