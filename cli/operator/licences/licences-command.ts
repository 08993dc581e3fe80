import { ExplainedError } from '../../terminal/explained-error.ts';
import { textTable } from '../../terminal/text-table.ts';
import { operatorCommand } from '../operator-command.ts';
import type { Dependency } from './licences.ts';

export const licences = operatorCommand({
  name: 'licences',
  summary: 'List all dependencies with their licences; fails when one is not allowed',
  example: '',
  async run(_, { print }) {
    const { isAllowed, npmDependencies, pythonDependencies } = await import('./licences.ts');
    const dependencies = [...npmDependencies(), ...(await pythonDependencies())];
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
