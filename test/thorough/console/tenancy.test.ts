import {
  type ConsolePage,
  expectNoComplaints,
  openConsole,
  signIn,
} from '../../support/browser/console-page.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../support/browser/screens.ts';
import { type Viewer, viewer } from '../../support/browser/viewer.ts';

let looking: Viewer;
let theirs: Named;
/** The console of another service, which has nothing. */
let stranger: ConsolePage;

beforeAll(async () => {
  looking = await viewer();
  theirs = await somethingEverywhere(looking);
  const other = await looking.stack.newService();
  stranger = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
  await signIn(stranger, other.token);
});
afterAll(() => looking?.close());
expectNoComplaints();

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
  await limited.close();
});
