import type { Response } from 'playwright-core';
import { type ConsolePage, openConsole, signIn } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../support/browser/screens.ts';
import { eventually } from '../../support/eventually.ts';

let theirs: Named;
/** The console of another service, which has nothing. */
let stranger: ConsolePage;

beforeAll(async () => {
  theirs = await somethingEverywhere(looking);
  const other = await looking.stack.newService();
  stranger = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
  await signIn(stranger, other.token);
});

const NOTHING =
  /There is no such subscription|There is no such message|No webhook of yours belongs|Nothing has been changed yet|could not be read/;

test.each(SCREENS.filter(([, hash]) => hash.includes(':')))(
  'the address of %s of another service shows nothing of it',
  async (_, hash) => {
    await stranger.go(addressed(hash, theirs));
    await stranger.shows(NOTHING);
    const seen = await stranger.page.locator('main').innerText();
    expect(seen).not.toMatch(/my shop|127\.0\.0\.1|localhost|card_payment|whpk_|Created the|Started a/);
    // Nothing to press that would act on it.
    expect(
      await stranger.page.getByRole('button', { name: /Send|Pause|Delete|Revoke|Save|Count/ }).count(),
    ).toBe(0);
  },
);

/** An id like this one that nothing has. */
const unknown = (id: string) => `${id.slice(0, -4)}0000`;

test.each(['#/subscriptions/:id', '#/messages/:message', '#/payments/:payment'])(
  'at %s what another service has looks like what nobody has, on the screen and in the answers',
  async (hash) => {
    const nobodys: Named = {
      ...theirs,
      id: unknown(theirs.id),
      message: unknown(theirs.message),
      payment: unknown(theirs.payment),
    };
    const { page } = stranger;
    const seen = async (named: Named) => {
      const answers: string[] = [];
      const note = async (answer: Response) => {
        const { pathname } = new URL(answer.url());
        if (!Object.values(named).some((id) => pathname.includes(id))) return;
        const { request_id: _, ...body } = await answer.json();
        answers.push(JSON.stringify([answer.status(), pathname, body]));
      };
      page.on('response', note);
      await stranger.go('#/nothing');
      await stranger.go(addressed(hash, named));
      await stranger.shows(NOTHING);
      const screen = await page.locator('main').innerText();
      await eventually('an answer', async () => answers.length > 0);
      page.off('response', note);
      const isNamed = (text: string) =>
        Object.values(named).reduce((left, id) => left.replaceAll(id, 'the id'), text);
      return { screen: isNamed(screen), answer: isNamed(answers[0] ?? '') };
    };
    const hidden = await seen(theirs);
    expect(hidden.answer).toMatch(/^\[404,/);
    expect(await seen(nobodys)).toEqual(hidden);
  },
);

test('a session for one subscription sees only this one, on each screen', async () => {
  const { partner, browser, stack } = looking;
  const { id } = await partner.subscribe(await looking.receiver.endpoint('mine'), {
    description: 'only mine',
  });
  const { body } = await partner.call('POST', '/portal-sessions', { rights: 'manage', subscriptions: [id] });
  const limited = await openConsole(
    browser,
    stack.outputs.apiUrl,
    body.console_path.replace('/v1/console', ''),
  );
  await limited.shows('only mine');
  expect(await limited.page.getByRole('link', { name: 'my shop' }).count()).toBe(0);
  expect(await limited.page.getByRole('link', { name: 'New subscription' }).count()).toBe(0);
  for (const [, hash] of SCREENS.filter(([, one]) => /:(id|message|payment)/.test(one))) {
    await limited.go('#/subscriptions');
    await limited.shows('only mine');
    await limited.go(addressed(hash, theirs));
    await limited.shows(NOTHING);
  }
});
