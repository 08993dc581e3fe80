import { type ConsolePage, openConsole } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { addressed, type Named, somethingEverywhere } from '../../../support/browser/screens.ts';
import { stageLink } from '../../../support/browser/viewer.ts';

let named: Named;

beforeAll(async () => {
  named = await somethingEverywhere(looking);
});

const AN_HOUR_MS = 3_600_000;
/** An hour of the page's clock is minutes of ours. */
const PATIENCE_MS = 400_000;
const TICK_MS = 2_000;
/** As docs/console.md promises. */
const MAX_REQUESTS = 300;

const SCREENS = [
  ['Subscriptions, two of them', '#/subscriptions', 'another shop'],
  ['One subscription', '#/subscriptions/:id', 'The same in numbers'],
  ['Messages', '#/subscriptions/:id/messages', 'Given up'],
  ['A message that has ended', '#/messages/:message', 'Headers and signature'],
  ['A payment', '#/payments/:payment', 'from event to end'],
  ['Changes', '#/changes', 'Created the subscription'],
] as const;

/** Lets a page's own clock run, which stands still until each of its requests is answered. */
async function clockOf({ page }: ConsolePage) {
  await page.clock.install();
  let asked = 0;
  let answered = 0;
  page.on('request', () => {
    asked += 1;
  });
  const answer = () => {
    answered += 1;
  };
  page.on('requestfinished', answer);
  page.on('requestfailed', answer);
  const run = async (forMs: number) => {
    const before = asked;
    for (let ms = 0; ms < forMs; ms += TICK_MS) {
      await page.clock.runFor(TICK_MS);
      while (answered < asked) await page.evaluate('0');
    }
    return asked - before;
  };
  return {
    /** Until all has been read once. From then on no time passes but that which is counted. */
    settle: async () => {
      await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
      await run(1_000);
    },
    requestsIn: run,
  };
}

test.each(SCREENS)(
  '%s asks 300 times in an hour at most, and nothing while it is hidden',
  async (_, hash, complete) => {
    const console = await looking.open('#/nothing');
    const { page } = console;
    const { settle, requestsIn } = await clockOf(console);
    await console.go(addressed(hash, named));
    await console.shows(complete);
    await settle();
    const requests = await requestsIn(AN_HOUR_MS);
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
    // It is kept up to date.
    expect(requests).toBeGreaterThan(30);
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await requestsIn(AN_HOUR_MS / 10)).toBe(0);
  },
  PATIENCE_MS,
);

test(
  'Health asks 300 times in an hour at most',
  async () => {
    const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
    const { page } = console;
    const { settle, requestsIn } = await clockOf(console);
    await console.go(await stageLink(looking.stack, 'analyst'));
    await page.getByRole('row', { name: /Messages to deliver/ }).waitFor();
    await page
      .getByText(/No endpoint is in trouble|What to do/)
      .first()
      .waitFor();
    await settle();
    expect(await requestsIn(AN_HOUR_MS)).toBeLessThanOrEqual(MAX_REQUESTS);
  },
  PATIENCE_MS,
);
