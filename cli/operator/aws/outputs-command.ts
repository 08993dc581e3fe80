import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { findStage, type StageFinder } from '../stage-finder.ts';

/** The names that calls of AWS need, as a shell takes them. */
export function outputsCommand(find: StageFinder = findStage) {
  return operatorCommand({
    name: 'outputs',
    summary: 'Print what a stage has recorded of itself, as variables for a shell: names, URLs and ARNs',
    options: ON_STAGE,
    example: '--stage dev',
    remarks: 'To set them: eval "$(npm run --silent ops -- outputs --stage dev)"',
    async run({ stage }, { print }) {
      const { values } = await find(stage);
      const outputs = Object.assign({}, ...Object.values(values)) as Record<string, string>;
      const lines = Object.entries(outputs).map(([name, value]) => `export ${name}='${value}'`);
      print(lines.join('\n'), outputs);
      return lines.length > 0;
    },
  });
}
