/** What the package exports. */
export { addPayhooks } from './payhooks.ts';
export type { Stage } from './stage.ts';
