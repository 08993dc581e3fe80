import { IS_REPOSITORY } from '../../lib/project-paths.ts';
import { send } from '../publisher/send-command.ts';
import type { CommandSet } from '../terminal/command.ts';
import { askCommand } from './analysis/ask-command.ts';
import { audit } from './audit/audit-command.ts';
import { allowRulesCommand } from './aws/allow-rules-command.ts';
import { discardCommand } from './aws/discard-command.ts';
import { outputsCommand, queryCommand } from './aws/query-command.ts';
import { CIRCUITS } from './circuits/circuits-commands.ts';
import { cost } from './cost/cost-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { eventsCommand } from './events/events-command.ts';
import type { OperatorWorld } from './operator-command.ts';
import { message, payment } from './payment/payment-command.ts';
import { PERSONAL_DATA } from './personal-data/personal-data-commands.ts';
import { preflightCommand } from './preflight/preflight-command.ts';
import { redrive } from './redrive/redrive-command.ts';
import { restore } from './restore/restore-command.ts';
import { schema } from './schema/schema-command.ts';
import { STAGE_KEYS_COMMANDS } from './stage-keys/stage-keys-commands.ts';
import { STUCK } from './stuck/stuck-commands.ts';
import { consoleCommands } from './token/console-commands.ts';
import { portalCommands } from './token/portal-commands.ts';
import { tokenCommands } from './token/token-commands.ts';

/** What operators and developers can do from a command line. */
export const OPS: CommandSet<OperatorWorld> = {
  script: 'npm run ops --',
  summary: 'Operates a stage with your AWS credentials, or the local stack.',
  groups: {
    circuits: 'Look at endpoints in trouble; open, drain or close their circuits',
    stuck: 'Look at payments that wait for an operator; release or skip what holds them up',
    'personal-data': 'Export or erase the personal data of a payment',
    'stage-keys': 'List and rotate the keys with which a stage signs for all partners',
    token: 'Create, list and revoke API tokens',
  },
  commands: [
    doctorCommand(),
    payment,
    message,
    ...CIRCUITS,
    ...STUCK,
    eventsCommand(),
    askCommand(),
    queryCommand(),
    redrive,
    discardCommand(),
    allowRulesCommand(),
    restore,
    ...PERSONAL_DATA,
    audit,
    ...STAGE_KEYS_COMMANDS,
    ...tokenCommands(),
    ...consoleCommands(),
    ...portalCommands(),
    send,
    preflightCommand(),
    outputsCommand(),
    cost,
    // Writes into docs/ of the repository.
    ...(IS_REPOSITORY ? [schema] : []),
  ],
  remarks: `Commands that change something only say what they would do until --yes is given. Each change is in the audit trail of the stage.
Exit code 1: something failed, is not there, or is left to be done. Nothing to do is a success.`,
};
