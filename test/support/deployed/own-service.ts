import type { Service } from './deployed-stack.ts';
import { stack } from './shared-stack.ts';

/** A service of the shared stack, a new one for each test of the file that imports it. */
export let service: Service;

beforeEach(async () => {
  service = await stack.newService();
});
