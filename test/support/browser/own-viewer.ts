import { type ConsolePage, pages } from './console-page.ts';
import { type Viewer, viewer } from './viewer.ts';

/**
 * Who looks at the console in the tests of the file that imports it. After each test the pages that it opened
 * are closed, and none may have complained.
 */
export let looking: Viewer;

beforeAll(async () => {
  looking = await viewer();
});
afterAll(() => looking?.close());

let openBefore: ReadonlySet<ConsolePage>;

beforeEach(() => {
  openBefore = new Set(pages);
});
afterEach(async () => {
  const complaints = [...pages].flatMap((one) => one.complaints);
  await Promise.all([...pages].filter((one) => !openBefore.has(one)).map((one) => one.close()));
  expect(complaints).toEqual([]);
});
