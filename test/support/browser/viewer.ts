import type { Browser, BrowserContextOptions } from 'playwright-core';
import { consoleCommands } from '../../../cli/operator/token/console-commands.ts';
import { localConsole } from '../../../cli/operator/token/console-stage.ts';
import type { StageRights } from '../../../functions/core/api/stage/stage-rights.ts';
import {
  type DeployedStack,
  deployedStack,
  type Service,
  type TestReceiver,
  testReceiver,
} from '../deployed/deployed-stack.ts';
import { ops } from '../operator-run.ts';
import { startBrowser } from './chromium.ts';
import { type ConsolePage, openConsole, signIn } from './console-page.ts';

/** A partner in front of the console of the deployed stack. */
export interface Viewer {
  readonly stack: DeployedStack;
  readonly receiver: TestReceiver;
  readonly partner: Service;
  readonly browser: Browser;
  /** A page of the console in which the partner has signed in. */
  open(hash: string, options?: BrowserContextOptions): Promise<ConsolePage>;
  close(): Promise<void>;
}

export async function viewer(): Promise<Viewer> {
  const [stack, browser, receiver] = await Promise.all([deployedStack(), startBrowser(), testReceiver()]);
  const partner = await stack.newService();
  return {
    stack,
    receiver,
    partner,
    browser,
    async open(hash, options) {
      const opened = await openConsole(browser, stack.outputs.apiUrl, hash, options);
      await signIn(opened, partner.token);
      return opened;
    },
    async close() {
      await browser.close();
      await receiver.stop();
      stack.close();
    },
  };
}

/** The hash of a new link to the console of the whole stage. */
export async function stageLink(
  { outputs }: Pick<DeployedStack, 'outputs'>,
  rights: StageRights,
): Promise<string> {
  const commands = consoleCommands(async () => localConsole(outputs));
  const { printed } = await ops(['console', '--as', rights, '--json'], {}, commands);
  return new URL(JSON.parse(printed).url).hash;
}

/** The console of the whole stage, as somebody sees it who opened a new link. */
export async function openStageConsole(
  browser: Browser,
  stack: Pick<DeployedStack, 'outputs'>,
  rights: StageRights,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const hash = await stageLink(stack, rights);
  const opened = await openConsole(browser, stack.outputs.apiUrl, hash, options);
  await opened.page.getByRole('heading', { name: 'Health' }).waitFor();
  return opened;
}
