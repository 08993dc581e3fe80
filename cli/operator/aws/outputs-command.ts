import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { findStage, type StageFinder } from '../stage-finder.ts';

/** The names that calls of AWS need, as a shell takes them. */
export function outputsCommand(find: StageFinder = findStage) {
  return operatorCommand({
    name: 'outputs',
    summary: 'Print the outputs of the stacks of a stage, as variables for a shell',
    options: ON_STAGE,
    example: '--stage dev',
    remarks: 'To set them: eval "$(npm run --silent ops -- outputs --stage dev)"',
    async run({ stage }, { print }) {
      const { stacks } = await find(stage);
      const outputs = Object.assign({}, ...stacks.map((stack) => stack.outputs)) as Record<string, string>;
      const lines = Object.entries(outputs).map(([name, value]) => `export ${name}='${value}'`);
      print(lines.join('\n'), outputs);
      return lines.length > 0;
    },
  });
}
