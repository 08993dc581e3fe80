import { looking } from '../../../support/browser/own-viewer.ts';
import { openStageConsole } from '../../../support/browser/viewer.ts';
import { happening } from '../../../support/deployed/happening.ts';
import { eventually } from '../../../support/eventually.ts';

const PAYMENTS = 6;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  const gone = {
    failure_rate: 1,
    failure_status: 503,
    response_headers: { 'webhook-delivery': 'abort-message' },
  };
  const { id: refusing } = await partner.subscribe(await receiver.endpoint('refusing', gone));
  const { id: well } = await partner.subscribe(await receiver.endpoint('well'));
  await stack.publish(...Array.from({ length: PAYMENTS }, () => happening(partner)));
  for (const [id, figure] of [
    [refusing, 'exhausted'],
    [well, 'delivered'],
  ] as const) {
    await eventually('all of it is counted', async () => {
      const { body } = await partner.call('GET', `/subscriptions/${id}/statistics?by=day`);
      return body.periods.at(-1)[figure] + body.periods.at(-2)[figure] === PAYMENTS;
    });
  }
});

test.each([
  ['light', 1_440],
  ['dark', 390],
] as const)('in the %s theme, days are drawn, and compared with those before', async (colorScheme, width) => {
  const { browser, stack } = looking;
  const options = { colorScheme, viewport: { width, height: 900 } };
  const console = await openStageConsole(browser, stack, 'analyst', options);
  const { page } = console;
  await console.go('#/analysis?question=volume&by=day,service&days=28&zone=Asia/Tokyo');
  await page.getByRole('img', { name: 'Delivered over time' }).waitFor();
  await page.getByRole('button', { name: 'Compare with the period before' }).click();
  await page.getByText('Delivered (before: 0)').waitFor();
  await page.getByText(/read units/).waitFor();
  expect(await console.broken()).toEqual([]);
  await console.fits();
});

test.each([390, 768, 1_000, 1_440])('at %i px each question is shown to its end', async (width) => {
  const { browser, stack } = looking;
  const options = { viewport: { width, height: 900 } };
  const { page, go, fits } = await openStageConsole(browser, stack, 'analyst', options);
  await go('#/analysis');
  await page.getByRole('combobox', { name: 'Question' }).waitFor();
  // A select that may be as wide as it likes takes its longest option and the arrow.
  const [shown, wanted] = await page.evaluate<[number, number]>(`(() => {
    const select = document.getElementById('question');
    const free = select.cloneNode(true);
    free.style.cssText = 'position: absolute; width: auto; max-width: none';
    select.after(free);
    const widths = [select.offsetWidth, free.offsetWidth];
    free.remove();
    return widths;
  })()`);
  expect(shown).toBeGreaterThanOrEqual(wanted);
  await fits();
});

test('on a screen of 1,920 px a table stands beside its chart, and both take all of it', async () => {
  const { browser, stack } = looking;
  const options = { viewport: { width: 1_920, height: 900 } };
  const { page, go, fits } = await openStageConsole(browser, stack, 'analyst', options);
  await go('#/analysis?question=failures&by=service,status&zone=UTC');
  const chart = await page.getByRole('img', { name: 'Failed attempts over time' }).boundingBox();
  const table = await page.getByRole('region', { name: 'Answer' }).boundingBox();
  expect(table?.y).toBeLessThan((chart?.y ?? 0) + 20);
  expect((table?.x ?? 0) + (table?.width ?? 0)).toBeGreaterThan(1_860);
  await fits();
});

test('a part of a chart, chosen with the mouse or the keyboard, is the next period', async () => {
  const { browser, stack } = looking;
  const { page, go } = await openStageConsole(browser, stack, 'analyst');
  await go('#/analysis?question=acknowledgement&by=service&days=28&zone=UTC');
  const chart = page.getByRole('img', { name: 'p95 and p50 over time' });
  const place = page.getByRole('region', { name: 'p95 and p50 over time' });
  const { x, y, width, height } = await eventually('it has its width', async () => {
    const [box, around] = [await chart.boundingBox(), await place.boundingBox()];
    return box !== null && Math.round(box.width) === Math.round(around?.width ?? 0) && box;
  });
  const day = (width - 52) / 29;
  await page.mouse.move(x + width - day * 2.5, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 3 });
  const answered = page.waitForResponse(/\/stage\/statistics\?/);
  await page.mouse.up();
  await page.waitForURL(/since=/);
  // Before, the chart of the period before may be there, and goes with the focus.
  await answered;
  const [since, until] = periodIn(page.url());
  expect((until - since) / 86_400_000).toBeGreaterThan(2);
  expect((until - since) / 86_400_000).toBeLessThanOrEqual(3);

  await place.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => periodIn(url.href)[0] > since);
  expect(periodIn(page.url())[1]).toBe(until);
  await page.goBack();
  await page.waitForURL((url) => periodIn(url.href)[0] === since);
});

test('keys that come before the page is drawn again choose a part, too', async () => {
  const { browser, stack } = looking;
  const { page, go } = await openStageConsole(browser, stack, 'analyst');
  await go('#/analysis?question=acknowledgement&by=service&days=28&zone=UTC');
  await page.getByRole('region', { name: 'p95 and p50 over time' }).waitFor();
  await page.evaluate(`for (const [key, shiftKey] of [['ArrowLeft'], ['ArrowLeft', true], ['Enter']]) {
    document.querySelector('.brush').dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey }));
  }`);
  await page.waitForURL(/since=/);
  const [since, until] = periodIn(page.url());
  expect((until - since) / 86_400_000).toBeGreaterThan(1);
  expect((until - since) / 86_400_000).toBeLessThanOrEqual(2);
});

const periodIn = (url: string) => {
  const of = new URLSearchParams(url.split('?')[1]);
  return ['since', 'until'].map((name) => Date.parse(of.get(name) ?? '')) as [number, number];
};

test('a question that cannot be answered says so', async () => {
  const { browser, stack } = looking;
  const { page, go } = await openStageConsole(browser, stack, 'analyst');
  await go('#/analysis?since=2026-01-01T00:00:00.000Z&until=2026-03-01T00:00:00.000Z');
  await page.getByText('The question was not answered').waitFor();
  await page.getByText(/longer questions go to the archive/).waitFor();
});
