import { join } from 'node:path';
import { ensureVenv } from './venv.ts';

// Prints the path of a Python that has cfn-lint: `$(node local/lint-venv.ts) -m cfnlint cdk.out/*.template.json`
const python = await ensureVenv({
  name: 'lint-venv',
  requirements: join(import.meta.dirname, 'requirements-lint.txt'),
  log: console.error,
});
console.log(python);
