import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { type ConsolePage, openConsole } from '../../../support/browser/console-page.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../../support/browser/screens.ts';
import { storeMessages } from '../../../support/browser/stored-messages.ts';
import { openStageConsole, type Viewer, viewer } from '../../../support/browser/viewer.ts';
import { happening } from '../../../support/deployed/happening.ts';
import { eventually } from '../../../support/eventually.ts';

/**
 * Where the pictures of docs/console.md go: PAYHOOKS_SCREENSHOTS=docs/console makes them anew. Others, with
 * PAYHOOKS_SCREENSHOTS_OF=dark, phone, wide or wide-dark, or several with a comma between them, are for whoever
 * changes how the console looks.
 */
const FOLDER = process.env.PAYHOOKS_SCREENSHOTS;
const KINDS = (process.env.PAYHOOKS_SCREENSHOTS_OF ?? 'light').split(',');

const PICTURES = [
  ['sign-in', ''],
  ['subscriptions', '#/subscriptions'],
  ['new-subscription', '#/subscriptions/new'],
  ['subscription', '#/subscriptions/:id'],
  ['settings', '#/subscriptions/:id/edit'],
  ['secrets', '#/subscriptions/:id/secrets'],
  ['messages', '#/subscriptions/:id/messages'],
  ['message', '#/messages/:message'],
  // Narrow, it has no room there.
  ...(KINDS.some((kind) => kind.startsWith('wide'))
    ? [['beside', '#/subscriptions/:id/messages?open=:message'] as const]
    : []),
  ['recover', '#/subscriptions/:id/recover'],
  ['recovery', '#/subscriptions/:id/recover?recovery_id=:recovery'],
  ['payment', '#/payments/:payment'],
  ['changes', '#/changes'],
] as const;

/** What is there once it is, where SCREENS does not tell, or this many messages change it. */
const COMPLETE: Readonly<Record<string, string | RegExp>> = {
  'sign-in': 'How to get in',
  beside: 'Headers and signature',
  settings: /^Takes \d+ of/,
};

let looking: Viewer;
let named: Named;

const PER_DAY = 1_440;
const DOWN = { failure_rate: 1, failure_status: 503 };

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A day as it may be: more by day than at night, an hour of trouble, slower at noon. */
function ofDay(number: number): Partial<MessageRecord> {
  const hour = Math.floor((number * 24) / PER_DAY);
  const isTrouble = hour === 16 && number % 3 > 0;
  const slow = 40 + Math.round(30 * Math.sin((hour * Math.PI) / 12)) + ((number * 7) % 40);
  return {
    time_to_send_ms: isTrouble ? slow * 3 : slow,
    ...(isTrouble
      ? {
          state: 'exhausted',
          state_reason: 'schedule',
          last_failure_class: 'http_status',
          last_status_code: 503,
        }
      : {}),
  };
}

(FOLDER === undefined ? describe.skip : describe)(
  'pictures of each screen (needs PAYHOOKS_SCREENSHOTS)',
  () => {
    beforeAll(async () => {
      looking = await viewer();
      const { partner, receiver, stack } = looking;
      // Of somebody else, so that no picture shows the times of workers that have just started.
      const warm = await stack.newService();
      const { id: warmed } = await warm.subscribe(await receiver.endpoint('warm'));
      await stack.publish(...Array.from({ length: 60 }, () => happening(warm)));
      await warm.messages(warmed, (all) => all.length === 60);
      named = await somethingEverywhere(looking);
      await storeMessages(stack, partner, named.id, PER_DAY, ofDay, 60_000);
      const { id: failing } = await partner.subscribe(await receiver.endpoint('fails', DOWN), {
        description: 'loyalty points',
        event_types: ['card_payment_captured', 'card_payment_settled'],
      });
      await storeMessages(stack, partner, failing, 300, () => ({}), 240_000);
      // Of somebody else, too: Health shows all services.
      for (const [service, url] of [
        ['bakery', await receiver.endpoint('fails', DOWN)],
        ['florist', 'http://127.0.0.1:9/hooks'],
      ] as const) {
        const troubled = await stack.newService(service);
        await troubled.subscribe(url);
        await stack.publish(...Array.from({ length: 24 }, () => happening(troubled)));
      }
      const types = ['CAPTURE_CONFIRMED', 'CAPTURE_SETTLED'];
      await stack.publish(
        ...Array.from({ length: 24 }, () => happening(partner)),
        ...types.map((event_type) => happening(partner, { payment_id: named.payment, event_type })),
      );
      await eventually('it fails and all is counted', async () => {
        const { circuit } = await partner.subscription(failing);
        const { body } = await partner.call('GET', `/subscriptions/${named.id}/statistics`);
        const delivered = body.periods.reduce(
          (all: number, one: { delivered: number }) => all + one.delivered,
          0,
        );
        return circuit.state === 'open' && delivered > 1_390;
      });
      named = { ...named, recovery: await recoveredTrouble() };
    });
    afterAll(() => looking?.close());

    /** Of the first quarter of the hour of trouble. */
    async function recoveredTrouble(): Promise<string> {
      const { partner } = looking;
      const path = `/subscriptions/${named.id}/recoveries`;
      const period = { since: minutesAgo(8 * 60), until: minutesAgo(8 * 60 - 15) };
      const { recovery_id } = (await partner.call('POST', path, period)).body;
      await eventually('it has sent them again', async () => {
        const { state, resent_count } = (await partner.call('GET', `${path}/${recovery_id}`)).body;
        return state === 'done' && resent_count > 0;
      });
      return recovery_id;
    }

    describe.each(KINDS)('%s', (kind) => {
      const options = {
        colorScheme: kind.endsWith('dark') ? ('dark' as const) : ('light' as const),
        viewport: { width: kind === 'phone' ? 390 : kind.startsWith('wide') ? 1_920 : 1_000, height: 400 },
        locale: 'en-GB',
        timezoneId: 'UTC',
      };

      // What is below says no more about a screen.
      const maxHeight = kind === 'phone' ? 1_600 : 1_000;

      const save = async (name: string, console: ConsolePage) => {
        await console.page.waitForLoadState('networkidle').catch(() => {});
        await mkdir(FOLDER ?? '', { recursive: true });
        const file = path.join(FOLDER ?? '', `${name}${kind === 'light' ? '' : `-${kind}`}.png`);
        await console.page.mouse.move(0, 0);
        const whole = (await console.page.evaluate('document.documentElement.scrollHeight')) as number;
        const clip = { x: 0, y: 0, width: options.viewport.width, height: Math.min(whole, maxHeight) };
        await writeFile(file, await console.page.screenshot({ fullPage: true, clip }));
        await console.close();
      };

      test.each(PICTURES)('%s', async (name, hash) => {
        const complete = COMPLETE[name] ?? SCREENS.find(([, of]) => of === hash)?.[2] ?? '';
        const console =
          hash === ''
            ? await openConsole(looking.browser, looking.stack.outputs.apiUrl, '', options)
            : await looking.open(addressed(hash, named), options);
        await console.shows(complete);
        await save(name, console);
      });

      test('health', async () => {
        const console = await openStageConsole(looking.browser, looking.stack, 'on-call', options);
        const { page } = console;
        await page.getByRole('heading', { name: 'answers 503 2 endpoints' }).waitFor();
        await page.getByRole('heading', { name: 'no connection 1 endpoint' }).waitFor();
        await page.getByRole('row', { name: /Messages to deliver/ }).waitFor();
        await save('health', console);
      });

      test('analysis', async () => {
        const console = await openStageConsole(looking.browser, looking.stack, 'analyst', options);
        await console.go('#/analysis?question=failures&by=service,reason&days=1&zone=UTC');
        await console.page
          .getByRole('row', { name: /http_status/ })
          .first()
          .waitFor();
        await save('analysis', console);
      });
    });
  },
);
