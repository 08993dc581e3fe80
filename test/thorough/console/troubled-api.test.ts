import type { Route } from 'playwright-core';
import { problem } from '../../../functions/core/api/problem.ts';
import type { ConsolePage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { addressed, type Named, somethingEverywhere } from '../../support/browser/screens.ts';
import { eventually } from '../../support/eventually.ts';

let named: Named;
let console: ConsolePage;

beforeAll(async () => {
  named = await somethingEverywhere(looking);
});

/** Each screen that asks for something: its address, what it says when that fails, and when it does not. */
const ASKING = [
  ['#/subscriptions', 'The subscriptions could not be read', 'another shop'],
  ['#/subscriptions/:id', 'The subscription could not be read', 'Longest attempt'],
  ['#/subscriptions/:id/secrets', 'The subscription could not be read', 'Rotate, step by step'],
  ['#/subscriptions/:id/messages', 'The subscription could not be read', 'Given up'],
  ['#/subscriptions/:id/recover?recovery_id=:recovery', 'could not be read', 'What became of them'],
  ['#/messages/:message', 'The message could not be read', 'Headers and signature'],
  ['#/payments/:payment', 'The payment could not be read', 'from event to end'],
  ['#/changes', 'The changes could not be read', 'Created the subscription'],
] as const;

const refused = (kind: 'internal' | 'too-many-requests', detail: string) => (route: Route) => {
  const body = { ...problem(kind, detail), request_id: 'req-4711' };
  const headers: Record<string, string> = kind === 'internal' ? {} : { 'retry-after': '30' };
  return route.fulfill({ status: body.status, headers, contentType: 'application/problem+json', json: body });
};

const API = /\/v1\/(?!console)/;

describe.each(ASKING)('%s', (hash, failed, complete) => {
  beforeEach(async () => {
    // It has not read anything.
    console = await looking.open('#/nothing');
    await console.page.clock.install();
  });

  test('says an error of ours with what to quote, and continues by itself once it is over', async () => {
    await console.page.route(API, refused('internal', 'The error is on our side.'));
    await console.go(addressed(hash, named));
    await console.shows(failed);
    await console.shows('req-4711');
    await console.page.unrouteAll();
    await console.page.clock.fastForward('01:00');
    await console.shows(complete);
    await eventually('no part of it fails', async () => {
      return (await console.page.getByRole('alert').count()) === 0;
    });
  });

  test('waits as long as the API says when it was asked too often, or until one asks again', async () => {
    const asked: string[] = [];
    await console.page.route(API, (route) => {
      asked.push(route.request().url());
      return refused('too-many-requests', 'Try again in 30 s.')(route);
    });
    await console.go(addressed(hash, named));
    await console.shows('Try again in 30 s.');
    await console.page.clock.fastForward('00:25');
    // Whatever was asked before this has been noted with it.
    await console.page.evaluate("fetch('fence')");
    expect(asked).toEqual([...new Set(asked)]);
    await console.page.unrouteAll();
    await console.page.getByRole('button', { name: 'Try again' }).first().click();
    await console.shows(complete);
  });

  test('can be left while an answer is late, and shows it when it comes', async () => {
    const { promise: late, resolve: comes } = Promise.withResolvers<void>();
    await console.page.route(API, async (route) => {
      await late;
      await route.continue().catch(() => {});
    });
    await console.go(addressed(hash, named));
    await console.page.getByText('Loading').first().waitFor({ state: 'attached' });
    await console.go('#/nothing');
    await console.shows('There is nothing here');
    await console.go(addressed(hash, named));
    comes();
    await console.shows(complete);
    await console.page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
