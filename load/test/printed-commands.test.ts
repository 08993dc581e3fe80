import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readCommand } from '../../cli/terminal/run-commands.ts';
import {
  isOfLaboratory,
  npmWords,
  PROJECT,
  pages,
  readAsNpmRun,
} from '../../test/support/documented/pages.ts';
import { printedTexts } from '../../test/support/documented/printed-texts.ts';
import { givenOptions, loadOptions } from '../lab/scenario/load-options.ts';
import { readScenario } from '../lab/scenario/scenario.ts';
import { scaleOptions } from '../scale/run-options.ts';
import { LOAD_TOOLS } from '../tools.ts';

const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));

const READERS = {
  load: async (args: string[]) => {
    if (LOAD_TOOLS.commands.some(({ name }) => name === args[0])) return readCommand(LOAD_TOOLS, args);
    const given = givenOptions(args);
    return given.help ? given : loadOptions(given, await readScenario(given.scenario));
  },
  simulate: ([, ...args]: string[]) => scaleOptions(args),
};

test('each command of the laboratory in pages, scripts and texts gives arguments that are taken', async () => {
  const inBlocks = [...pages().map(({ text }) => text), ownPage()].flatMap(
    (text) => text.match(/(?<!`)\bnpm run (?:load|simulate) -- [^\n#|`]*/g) ?? [],
  );
  const commands = [...inBlocks, ...printedTexts().map(({ command }) => command)].filter(isOfLaboratory);
  expect(commands.length).toBeGreaterThan(20);
  const wrong: string[] = [];
  for (const command of new Set(commands)) {
    const filled = command
      .replace(/ >.*/, '')
      .replaceAll(/"?\$STAGE"?/g, 'dev')
      .replaceAll(/\[.*?\]/g, '')
      .replaceAll('<run>', 'x')
      .replaceAll(/<scenario>|…/g, 'simple');
    await readAsNpmRun(npmWords(filled.trim()), scripts, READERS).catch(({ message }: Error) => {
      // A gap that a program fills in, or a command that is only named.
      if (!/missing required argument|required option|no scenario x;/.test(message))
        wrong.push(`${command}: ${message}`);
    });
  }
  expect(wrong).toEqual([]);
});

function ownPage(): string {
  return readFileSync(path.join(PROJECT, 'load/README.md'), 'utf8');
}
