import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const TEMPLATES = 'PAYHOOKS_TEST_TEMPLATES';

/** Where the templates of a stage lie that some test has synthesized; undefined outside these tests. */
export const templateFolder = () => process.env[TEMPLATES];

/** Before these tests: a folder of this run alone, so that nothing of an older one is taken for today's. */
export default function makeTemplateFolder(): void {
  process.env[TEMPLATES] = mkdtempSync(path.join(tmpdir(), 'payhooks-templates-'));
}

/** After them. */
export function removeTemplateFolder(): void {
  rmSync(process.env[TEMPLATES] as string, { recursive: true, force: true });
}
