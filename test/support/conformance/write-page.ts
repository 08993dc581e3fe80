import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { conformancePage } from './page.ts';

writeFileSync(path.resolve(import.meta.dirname, '../../../docs/conformance.md'), conformancePage());
