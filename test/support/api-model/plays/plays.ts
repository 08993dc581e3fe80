import type { Play } from '../play.ts';
import { ACCOUNT_PLAYS } from './account.ts';
import { EVENT_TYPE_PLAYS } from './event-types.ts';
import { MESSAGE_PLAYS } from './messages.ts';
import { RECOVERY_PLAYS } from './recoveries.ts';
import { SECRET_PLAYS } from './secrets.ts';
import { STAGE_PLAYS } from './stage.ts';
import { SUBSCRIPTION_PLAYS } from './subscriptions.ts';

/** How each operation is played, by `operationId`. */
export const PLAYS: Readonly<Record<string, Play>> = {
  ...SUBSCRIPTION_PLAYS,
  ...SECRET_PLAYS,
  ...EVENT_TYPE_PLAYS,
  ...MESSAGE_PLAYS,
  ...RECOVERY_PLAYS,
  ...ACCOUNT_PLAYS,
  ...STAGE_PLAYS,
};
