import { consolePageHtml } from '../../../../lib/bundling/console-page.ts';
import { type ConsolePage, openConsole, signIn } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';

/** The deployed console with the colours of another stage. */
async function coloured(
  accent: { readonly background: string; readonly text: string },
  colorScheme: 'light' | 'dark',
): Promise<ConsolePage> {
  const { html, headers } = consolePageHtml({ accent });
  const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl, '', { colorScheme });
  await console.page.route('**/v1/console', (route) =>
    route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html }),
  );
  await console.page.reload();
  await console.shows('How to get in');
  return console;
}

test.each([
  ['a light colour', 'light', { background: '#ffe45c', text: '#16191d' }],
  ['a dark colour', 'dark', { background: '#1d0b33', text: '#f4f5f7' }],
  ['colours that can just be told apart', 'dark', { background: '#767676', text: '#ffffff' }],
] as const)(
  'with %s of the stage links and buttons can be read in the %s theme, also under the pointer',
  async (_, colorScheme, accent) => {
    const console = await coloured(accent, colorScheme);
    const { page } = console;
    const isReadable = async () => expect(await console.broken()).toEqual([]);
    const main = page.locator('.main:is(button, .button)');
    const seen = () =>
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser
      main.evaluate((button: any) => {
        const { color, backgroundColor, filter } = button.ownerDocument.defaultView.getComputedStyle(button);
        return [color, backgroundColor, filter];
      });
    const rgb = (hex: string) => {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      return `rgb(${red}, ${green}, ${blue})`;
    };
    const wanted = [rgb(accent.text), rgb(accent.background), 'none'];
    await isReadable();
    expect(await seen()).toEqual(wanted);
    // axe does not know what the pointer changes.
    await main.hover();
    expect(await seen()).toEqual(wanted);

    const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('coloured'));
    await signIn(console, looking.partner.token);
    await console.go(`#/subscriptions/${id}/secrets`);
    await page.getByRole('button', { name: 'Add a new secret' }).click();
    await page.getByRole('button', { name: 'My receiver uses it' }).waitFor();
    await isReadable();
    await page
      .getByRole('button', { name: /^Revoke sec_/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await isReadable();
  },
);
