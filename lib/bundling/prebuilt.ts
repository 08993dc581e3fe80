import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../project-paths.ts';
import type { FunctionName } from './function-folders.ts';
import type { Inlined } from './sealed-page.ts';

/** `#code` in the package: what build/build.ts has bundled by from-sources.ts is copied. */
const BUILT = path.join(PROJECT, 'dist');

export function writeBundle(name: FunctionName, folder: string): void {
  cpSync(path.join(BUILT, 'functions', name), folder, { recursive: true });
}

export function consoleParts(): Inlined {
  return JSON.parse(readFileSync(path.join(BUILT, 'console.json'), 'utf8'));
}

export function writeWorkerRuntime(outfile: string): void {
  copyFileSync(path.join(BUILT, 'worker-runtime.mjs'), outfile);
}
