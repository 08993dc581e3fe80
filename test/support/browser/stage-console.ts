import type { Browser, BrowserContextOptions } from 'playwright-core';
import { consoleCommands } from '../../../cli/operator/token/console-commands.ts';
import { localConsole } from '../../../cli/operator/token/console-stage.ts';
import type { StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import type { DeployedStack } from '../deployed/deployed-stack.ts';
import { ops } from '../operator-run.ts';
import { type ConsolePage, openConsole } from './console-page.ts';

/** The console of the whole stage, as somebody sees it who opened a new link. @param hash to go to */
export async function openStageConsole(
  browser: Browser,
  { outputs }: Pick<DeployedStack, 'outputs'>,
  rights: StageRights,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const commands = consoleCommands(async () => localConsole(outputs));
  const { printed } = await ops(['console', '--as', rights, '--json'], {}, commands);
  const url = new URL(JSON.parse(printed).url);
  const opened = await openConsole(browser, outputs.apiUrl, url.hash, options);
  await opened.page.getByRole('heading', { name: 'Health' }).waitFor();
  return opened;
}
