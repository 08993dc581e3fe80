import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../lib/project-paths.ts';

/** Of this package: `0.2.0`. */
export function version(): string {
  return JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')).version;
}
