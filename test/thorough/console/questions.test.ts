import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { looking } from '../../support/browser/own-viewer.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { openStageConsole } from '../../support/browser/viewer.ts';
import { happening } from '../../support/deployed/happening.ts';
import { opsOn } from '../../support/deployed/ops-on.ts';
import { eventually } from '../../support/eventually.ts';

const DAY_MS = 86_400_000;
const PAYMENT = 'pay_asked_for';

const took: string[] = [];
const open = (rights: 'analyst' | 'on-call') =>
  openStageConsole(looking.browser, looking.stack, rights, { timezoneId: 'UTC' });

/** Takes steps to an answer, as a person would: each a command, click, choice or key. */
async function answer(
  question: string,
  expected: number,
  walk: (step: <T>(action: Promise<T>) => Promise<T>) => Promise<unknown>,
) {
  let steps = 0;
  const startMs = performance.now();
  await walk((action) => {
    steps += 1;
    return action;
  });
  took.push(`${question}: ${steps} steps, ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
  expect([question, steps]).toEqual([question, expected]);
}

let failing: string;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  const down = { failure_rate: 1, failure_status: 503 };
  ({ id: failing } = await partner.subscribe(await receiver.endpoint('down', down), {
    description: 'my shop',
  }));
  const { id } = await partner.subscribe(await receiver.endpoint('well'));
  await storeMessages(stack, partner, id, 3, (number) => ({
    payment_id: PAYMENT,
    event_id: `${PAYMENT}-${number}`,
  }));
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  await storeMessages(stack, partner, id, 5, () => ({
    ...{ admitted_at: yesterday, ended_at: yesterday, last_attempt_at: yesterday },
    ...{ state: 'exhausted', state_reason: 'schedule' },
    ...{ last_failure_class: 'timeout', last_status_code: undefined },
  }));
  // More payments than a circuit lets fail before it opens, and an event that cannot be used.
  await stack.publish(
    ...Array.from({ length: 40 }, () => happening(partner)),
    happening(partner, { resource: { text: 'x'.repeat(262_200) } }),
  );
  await eventually('its circuit is open, and all is counted', async () => {
    const { circuit } = await partner.subscription(failing);
    const { body } = await partner.call('GET', `/subscriptions/${id}/statistics?by=day`);
    const counted = (name: string) =>
      body.periods.reduce((sum: number, one: Record<string, number>) => sum + (one[name] ?? 0), 0);
    return circuit.state === 'open' && counted('exhausted') === 5 && counted('delivered') === 43;
  });
});
afterAll(async () => {
  process.stderr.write(`${took.join('\n')}\n`);
  const { partner, stack } = looking;
  await stack.takeDeadLetters(stack.outputs.queues.eventsDeadLetters, (body) =>
    body.includes(partner.serviceId),
  );
});

const choose = (page: Page, label: string, option: string) =>
  page.getByLabel(label, { exact: true }).selectOption(option);

test('analysts', async () => {
  const { partner } = looking;
  await answer('Who failed most last week, and why?', 3, async (step) => {
    const { page } = await step(open('analyst'));
    await step(page.getByRole('link', { name: 'Analysis' }).click());
    await step(choose(page, 'and by', 'Reason'));
    await page.getByRole('row', { name: `${partner.serviceId} timeout 5` }).waitFor();
  });
  await answer('How long from event to acknowledgement, by partner and day?', 4, async (step) => {
    const { page } = await step(open('analyst'));
    await step(page.getByRole('link', { name: 'Analysis' }).click());
    await step(choose(page, 'Question', 'How soon was it acknowledged?'));
    await step(choose(page, 'and by', 'Day'));
    await page.getByRole('row', { name: new RegExp(`^${partner.serviceId} .* 43 \\d+ % .*s$`) }).waitFor();
  });
  await answer('What was captured yesterday, and never acknowledged by X? As CSV', 9, async (step) => {
    const { page } = await step(open('analyst'));
    await step(page.getByRole('link', { name: 'Analysis' }).click());
    await step(choose(page, 'Question', 'What was never acknowledged?'));
    await step(choose(page, 'Service', partner.serviceId));
    await step(choose(page, 'Event type', 'card_payment_captured'));
    await step(choose(page, 'Grouped by', 'Day'));
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    await step(page.getByRole('link', { name: yesterday }).click());
    await step(choose(page, 'Grouped by', 'Message'));
    await page
      .getByRole('row', { name: /msg_.* exhausted timeout/ })
      .nth(4)
      .waitFor();
    const saving = page.waitForEvent('download');
    await step(page.getByRole('button', { name: 'Save as CSV' }).click());
    const csv = readFileSync(await (await saving).path(), 'utf8');
    expect(csv.match(/^msg_/gm)).toHaveLength(5);
  });
});

test('a choice is added to a link that was just followed and is not shown yet', async () => {
  const { page } = await open('analyst');
  await page.getByRole('link', { name: 'Analysis' }).click();
  await page.getByLabel('and by', { exact: true }).waitFor();
  await page.evaluate(`{
    const select = document.querySelector('#second');
    location.hash = '#/analysis?question=failures&days=28&status=503';
    select.value = 'reason';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }`);
  await page.waitForURL(/days=28/);
  const asked = new URLSearchParams(new URL(page.url()).hash.split('?')[1]);
  expect(Object.fromEntries(asked)).toMatchObject({ days: '28', status: '503', by: 'service,reason' });
});

test('partners', async () => {
  const { page } = await looking.open('#/subscriptions');
  await answer('What is wrong, and what do I do?', 1, async (step) => {
    await page
      .getByRole('row')
      .nth(1)
      .getByText(/503 from 100 %/)
      .waitFor();
    await step(page.getByRole('link', { name: 'my shop' }).click());
    await page.getByText('First:').waitFor();
  });
  await answer('In which order was a payment sent?', 3, async (step) => {
    await step(page.keyboard.press('/'));
    await step(page.getByLabel('Id of a payment').fill(PAYMENT));
    await page.getByText('(Enter)').waitFor();
    await step(page.keyboard.press('Enter'));
    await page
      .locator('.lanes')
      .getByText(/\d\d:\d\d:\d\d\.\d{3}/)
      .first()
      .waitFor();
  });
});

test('people on call', async () => {
  const { stack } = looking;
  await answer('Which endpoint is it, and what may I not see of it?', 2, async (step) => {
    const { page } = await step(open('on-call'));
    await step(page.locator(`a.row-name[href*="${failing}"]`).click());
    await page.locator('dd').getByText('path withheld').waitFor();
  });
  await answer('Why is there a dead letter?', 2, async (step) => {
    const { page } = await step(open('on-call'));
    await page.getByText('npm run ops -- redrive events --stage local').waitFor();
    const { printed } = await step(opsOn(stack, 'redrive', 'events'));
    expect(printed).toContain('too_large');
  });
});
