import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../../../cli/terminal/explanation.ts';
import { ensureVenv } from '../../../local/python/venv.ts';

// Runs the pinned cfn-lint, and installs it first if needed: `npx node test/support/python/cfn-lint.ts
// cdk.out/*.template.json`
await runCommand(async (args) => {
  const python = await ensureVenv({
    name: 'lint-venv',
    requirements: join(import.meta.dirname, 'requirements-lint.txt'),
    log: console.error,
  });
  const main = 'import sys; from cfnlint import runner; sys.argv[0] = "cfn-lint"; sys.exit(runner.main())';
  const lint = spawn(python, ['-c', main, ...args], { stdio: 'inherit' });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    lint.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });
});
