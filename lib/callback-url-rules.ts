import type { Stage } from './stages.ts';

/** The stage's rules for callback URLs as the functions read them from their environment. */
export function callbackUrlRules(stage: Stage): string {
  return JSON.stringify(stage.callbackUrls);
}
