import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { javaFor, OPTIONS } from '../../support/java/engine.ts';

const java = javaFor('elasticmq', process);
const resolved = (options: readonly string[]) =>
  spawnSync(
    typeof java === 'string' ? '' : java.program,
    [...options, join(import.meta.dirname, '../../support/engines/Resolve.java'), hostname()],
    { encoding: 'utf8' },
  );

(typeof java === 'string' ? test.skip : test)(
  'an engine asks no name server, so it finds nobody to report to',
  () => {
    expect(resolved(OPTIONS).stderr).toContain(`Unable to resolve host ${hostname()} in hosts file`);
    expect(resolved([]).stderr).not.toContain('in hosts file');
  },
);
