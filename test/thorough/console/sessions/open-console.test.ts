import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ConsolePage, openConsole } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { addressed, type Named, somethingEverywhere } from '../../../support/browser/screens.ts';
import { stageLink } from '../../../support/browser/viewer.ts';

let named: Named;

beforeAll(async () => {
  named = await somethingEverywhere(looking);
});

/** Each interval goes into it without a rest. */
const MEASURED_MS = 60_000;
const AN_HOUR_MS = 3_600_000;
const TICK_MS = 250;

/** Each row of the table in docs/console.md: a screen, and its requests in an hour. */
const DOCUMENTED = new Map(
  [
    ...readFileSync(path.resolve(import.meta.dirname, '../../../../docs/console.md'), 'utf8').matchAll(
      /^\| ([A-Z][^|]*) \| ([\d,]+) \|$/gm,
    ),
  ].map(([, screen = '', requests = '']) => [screen, Number(requests.replace(',', ''))] as const),
);

const SCREENS = [
  ['Subscriptions, two of them', '#/subscriptions', 'another shop'],
  ['One subscription', '#/subscriptions/:id', 'Numbers by the hour'],
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
    requestsInAnHour: async () => ((await run(MEASURED_MS)) * AN_HOUR_MS) / MEASURED_MS,
  };
}

test.each(SCREENS)(
  '%s asks as often as documented, and nothing while it is hidden',
  async (screen, hash, complete) => {
    const console = await looking.open('#/nothing');
    const { page } = console;
    const { settle, requestsInAnHour } = await clockOf(console);
    await console.go(addressed(hash, named));
    await console.shows(complete);
    await settle();
    expect(await requestsInAnHour()).toBe(DOCUMENTED.get(screen));
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await requestsInAnHour()).toBe(0);
  },
);

test('Health asks as often as documented', async () => {
  const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
  const { page } = console;
  const { settle, requestsInAnHour } = await clockOf(console);
  await console.go(await stageLink(looking.stack, 'analyst'));
  await page.getByRole('row', { name: /Messages to deliver/ }).waitFor();
  await page
    .getByText(/No endpoint is in trouble|What to do/)
    .first()
    .waitFor();
  await settle();
  expect(await requestsInAnHour()).toBe(DOCUMENTED.get('Health'));
});
