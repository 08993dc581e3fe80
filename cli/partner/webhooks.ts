import type { CommandSet } from '../terminal/command.ts';
import { changes } from './commands/changes.ts';
import { create } from './commands/create.ts';
import { listen } from './commands/listen.ts';
import { mcp } from './commands/mcp.ts';
import { message, messages } from './commands/messages.ts';
import { notices } from './commands/notices.ts';
import { payment } from './commands/payment.ts';
import { ping } from './commands/ping.ts';
import { endSession, portal, sessions } from './commands/portal.ts';
import { revoke, rotate } from './commands/secrets.ts';
import { cancel, recover, resend } from './commands/sending.ts';
import { deleteIt, enable, list, pause, show } from './commands/state.ts';
import { statistics } from './commands/statistics.ts';
import { tail } from './commands/tail.ts';
import { update } from './commands/update.ts';
import type { PartnerWorld } from './partner-command.ts';

/** In the order in which a partner comes to need them. */
const COMMANDS = [
  list,
  create,
  show,
  update,
  pause,
  enable,
  deleteIt,
  ping,
  tail,
  listen,
  mcp,
  messages,
  payment,
  message,
  resend,
  cancel,
  recover,
  statistics,
  notices,
  rotate,
  revoke,
  changes,
  portal,
  sessions,
  endSession,
];

/** What a partner can do from a command line. */
export const WEBHOOKS: CommandSet<PartnerWorld> = {
  script: 'npm run webhooks --',
  summary: 'Manages the webhooks of your service, through its HTTP API.',
  commands: COMMANDS,
  remarks: `Without --json a refusal is text; with it, JSON on stderr. tail prints one line for each delivery.

The API and the token: PAYHOOKS_API_URL and PAYHOOKS_TOKEN in the environment; without them, the
local stack that runs on this machine, as its service demo. Exit code 1: it could not be done, or it failed.`,
};
