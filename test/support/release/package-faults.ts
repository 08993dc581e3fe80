import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';
import * as z from 'zod';
import { FUNCTION_NAMES } from '../../../lib/bundling/function-folders.ts';

/** What `npm pack --json` prints of one package. */
export const packedSchema = z.object({
  filename: z.string(),
  size: z.number(),
  unpackedSize: z.number(),
  files: z.array(z.object({ path: z.string() })),
});
export type Packed = z.infer<typeof packedSchema>;

/** Sources, tests, what a run leaves behind, and what may be a secret. */
const STAYS_HERE =
  /(^|\/)(test|tests|fixtures|__pycache__|node_modules|cdk\.out|load-runs|\.[^/]+)(\/|$)|\.test\.|(?<!\.d)\.tsx?$|\.(map|pyc|tgz|pem|key|env|log)$/;

const MUST_BE_THERE = [
  ...['package.json', 'README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENCES.txt'],
  ...['dist/index.js', 'dist/types/lib/index.d.ts', 'dist/payhooks.js', 'dist/worker-runtime.mjs'],
  ...['dist/console.json', 'local/emulator/launcher.py', 'local/emulator/requirements.txt'],
  ...FUNCTION_NAMES.map((name) => `dist/functions/${name}/index.mjs`),
];

const MAX_BYTES = 4_000_000;

/** What is wrong with a package, in words; nothing when a stranger may have it. */
export function packageFaults({ size, files }: Packed): string[] {
  const names = files.map(({ path }) => path);
  return [
    ...names.filter((name) => STAYS_HERE.test(name)).map((name) => `${name} must not be in it`),
    ...MUST_BE_THERE.filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
    ...(size > MAX_BYTES ? [`it has ${size} bytes, of ${MAX_BYTES} at most`] : []),
  ];
}

/** What the JSON schema of CycloneDX, in its strict form, finds wrong with a bill of materials. */
export async function billFaults(bill: string): Promise<readonly unknown[]> {
  const { specVersion } = JSON.parse(bill) as { specVersion: Spec.Version };
  const faults = await new Validation.JsonStrictValidator(specVersion).validate(bill);
  return (faults as readonly unknown[] | null) ?? [];
}
