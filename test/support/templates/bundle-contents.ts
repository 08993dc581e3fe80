import type { Metafile } from 'esbuild';

/** A source file of a bundle, and its size after minifying and tree shaking. */
interface Part {
  readonly file: string;
  readonly bytes: number;
}

/** Largest first; without files of which nothing is left. */
export function partsOf({ outputs }: Metafile): Part[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .map(([file, { bytesInOutput }]) => ({ file, bytes: bytesInOutput }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
}

/** The five largest packages of a bundle, as a sentence: `undici 170 KB, zod 26 KB, ...`. */
export function heaviestPackages(metafile: Metafile): string {
  const bytesOf = new Map<string, number>();
  for (const { file, bytes } of partsOf(metafile)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'our own code';
    bytesOf.set(name, (bytesOf.get(name) ?? 0) + bytes);
  }
  return [...bytesOf]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
    .join(', ');
}

/** Rounded up, so that a byte over budget shows. */
export function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000)} KB`;
}
