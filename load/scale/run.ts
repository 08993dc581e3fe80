import { runCommand } from '../../cli/terminal/explanation.ts';
import { PRICES } from '../../lib/prices.ts';
import { resultForPeople } from './report/tables-for-people.ts';
import { SCALE_HELP, scaleOptions } from './run-options.ts';
import type { Result } from './scenario.ts';

await runCommand(async (args) => {
  const options = scaleOptions(args);
  if (options === 'help') {
    process.stdout.write(SCALE_HELP);
    return;
  }
  const results: (Result & { readonly scenario: string; readonly shows: string })[] = [];
  for (const scenario of options.scenarios) {
    const result = await scenario.run(options.size, (backlog) =>
      console.error(`${scenario.name}: ${backlog}`),
    );
    results.push({ scenario: scenario.name, shows: scenario.shows, ...result });
    if (!options.json) {
      console.log(resultForPeople(scenario, result));
    }
    if (result.verdicts.some(({ kept }) => !kept)) {
      process.exitCode = 1;
    }
  }
  if (options.json) {
    console.log(JSON.stringify({ size: options.size, prices: PRICES, results }, undefined, 2));
  }
});
