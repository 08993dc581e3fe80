import type { ConsolePage } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../../support/browser/screens.ts';
import { openStageConsole } from '../../../support/browser/viewer.ts';
import { eventually } from '../../../support/eventually.ts';

let named: Named;

beforeAll(async () => {
  named = await somethingEverywhere(looking);
});

const AN_HOUR_MS = 3_600_000;
/** Of every timer of the hour the page's clock waits for what follows from it. */
const PATIENCE_MS = 200_000;
/** As docs/console.md promises. */
const MAX_REQUESTS = 300;

/** What is shown there changes only when somebody asks: forms, what nobody looks up again, nothing. */
const UNCHANGING = /form|search|to recover|without a screen/;

const SCREENS_OF_STAGE = [
  ['Health', '#/health', 'Messages to deliver'],
  ['Analysis', '#/analysis?question=failures&days=1', 'read units'],
] as const;

/**
 * From now on the API answers a request that was made before as it did then, but with other numbers: nothing
 * makes a page ask more often than what never stays the same. It answers before any other timer of the page.
 */
const NEVER_THE_SAME = `{
  const [ask, known] = [fetch, new Map()];
  const counts = /^(attempt_count|delivered|duration_ms|failed_attempts|resent_count|waiting)$/;
  window.asked = window.underWay = 0;
  window.fetch = async (url, sending) => {
    window.asked += 1;
    const what = String(url).replace(/(since|until)=[^&]*/g, '');
    if (!known.has(what)) {
      window.underWay += 1;
      const answer = await ask(url, sending).finally(() => { window.underWay -= 1; });
      const { ok, status, headers } = answer;
      if (!ok) return answer;
      const text = await answer.text();
      const changed = (name, value) => (counts.test(name) ? value + asked : value);
      const json = async () => ({ ...JSON.parse(text, changed), asked });
      known.set(what, { ok, status, headers, json, text: async () => text });
    }
    return known.get(what);
  };
}`;

/** How often a complete screen asks while so much time passes on the page's own clock. */
async function requestsIn({ page }: ConsolePage, forMs: number): Promise<number> {
  await page.evaluate('window.asked = 0');
  await page.clock.runFor(forMs);
  return page.evaluate<number>('window.asked');
}

async function withOwnClock(console: ConsolePage, hash: string, complete: string): Promise<void> {
  const { page } = console;
  await page.clock.install();
  await page.evaluate(NEVER_THE_SAME);
  await console.go(hash);
  await console.shows(complete);
  // Until each request has had a real answer: from then on no time passes but that which is counted.
  await page.clock.runFor(60_000);
  await eventually('all is answered', () => page.evaluate<boolean>('window.underWay === 0'));
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
}

/** Where most is kept up to date at once. */
const BESIDE = [
  'a message beside its list',
  '#/subscriptions/:id/messages?open=:message',
  'Attempt 1',
] as const;

test.each([...SCREENS, BESIDE])(
  '%s asks 300 times in an hour at most, whatever changes, and nothing while it is hidden',
  async (name, hash, complete) => {
    const console = await looking.open('#/nothing');
    await withOwnClock(console, addressed(hash, named), complete);
    const requests = await requestsIn(console, AN_HOUR_MS);
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
    // It is kept up to date.
    if (!UNCHANGING.test(name)) expect(requests).toBeGreaterThan(10);
    await console.page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await requestsIn(console, AN_HOUR_MS / 10)).toBe(0);
  },
  PATIENCE_MS,
);

test.each(SCREENS_OF_STAGE)(
  '%s asks 300 times in an hour at most, whatever changes',
  async (_, hash, complete) => {
    const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
    await console.go('#/services/none/nothing');
    await withOwnClock(console, hash, complete);
    expect(await requestsIn(console, AN_HOUR_MS)).toBeLessThanOrEqual(MAX_REQUESTS);
  },
  PATIENCE_MS,
);
