import type { Browser, BrowserContextOptions } from 'playwright-core';
import {
  type DeployedStack,
  deployedStack,
  type Service,
  type TestReceiver,
  testReceiver,
} from '../deployed/deployed-stack.ts';
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
