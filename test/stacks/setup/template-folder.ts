import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const TEMPLATES = 'PAYHOOKS_TEST_TEMPLATES';

/** The folder of templates that some test has synthesized; undefined outside these tests. */
export const templateFolder = () => process.env[TEMPLATES];

/**
 * Runs before these tests: a folder for this run only, so that no older template is reused. Its projects
 * share it.
 */
export default function makeTemplateFolder(): void {
  process.env[TEMPLATES] ??= mkdtempSync(path.join(tmpdir(), 'payhooks-templates-'));
}

/** Runs after them. */
export function removeTemplateFolder(): void {
  rmSync(process.env[TEMPLATES] as string, { recursive: true, force: true });
}
