import { ExplainedError } from '../../terminal/explained-error.ts';
import { textTable } from '../../terminal/text-table.ts';
import { operatorCommand } from '../operator-command.ts';
import type { Dependency } from './licences.ts';

export const licences = operatorCommand({
  name: 'licences',
  summary: 'List all dependencies with their licences; fails when one is not allowed',
  example: '',
  async run(_, { print }) {
    const { isAllowed } = await import('./licences.ts');
    const { npmDependencies } = await import('./npm-dependencies.ts');
    const { pythonDependencies } = await import('./python-dependencies.ts');
    const { javaDependencies } = await import('./java-dependencies.ts');
    const dependencies = [...npmDependencies(), ...(await pythonDependencies()), ...javaDependencies()];
    print(rows(dependencies), { dependencies });
    const refused = dependencies.filter((dependency) => !isAllowed(dependency));
    if (refused.length > 0) {
      throw new ExplainedError(
        `cli/operator/licences/licences.ts does not allow the licences of:\n${rows(refused)}`,
      );
    }
    return true;
  },
});

function rows(dependencies: readonly Dependency[]): string {
  return textTable(
    dependencies.map(({ name, version, licence, deployed, lockfile }) => [
      ...[name, version, licence, deployed ? 'may be deployed' : 'tool', lockfile],
    ]),
  ).join('\n');
}
