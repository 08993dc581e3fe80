import { DEFAULT_SESSION_SECONDS } from '../../../functions/core/api/portal/portal-session.ts';
import { STAGE_RIGHTS } from '../../../functions/core/api/stage/stage-rights.ts';
import { isStageSessionId } from '../../../functions/core/api/stage/stage-secrets.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { nameOption, numberOption } from '../../terminal/option-kinds.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { type StageConsole, stageConsole } from './console-stage.ts';

const RIGHTS = {
  as: {
    ...nameOption(STAGE_RIGHTS, { default: 'on-call' }),
    help: 'on-call looks and operates circuits; analyst looks',
  },
} as const;

/** @param consoleOf a stage */
export function consoleCommands(
  consoleOf: (stage: ChosenDeployment) => Promise<StageConsole> = stageConsole,
) {
  return [
    operatorCommand({
      name: 'console',
      summary:
        'Make a link that signs you in to the console of the whole stage: health first, then every service',
      options: {
        ...RIGHTS,
        hours: numberOption('how long the session lasts (default: 8)', 0.1, 12),
        ...ON_STAGE,
      },
      example: '--as analyst --stage dev',
      remarks:
        'It shows no bodies, answers, secrets or contacts. AWS decides whether you may: your role must be allowed to invoke the function\nthat makes such links. The link is in the trail of the stage.',
      async run({ as: rights, hours, stage }, { print }) {
        const { apiUrl, who, ask } = await consoleOf(stage);
        const lasts_seconds = hours === undefined ? DEFAULT_SESSION_SECONDS : Math.round(hours * 3_600);
        const answer = await ask(rights, { make: { who, lasts_seconds } });
        if (!('made' in answer)) {
          throw new ExplainedError(
            'The function that makes links answered something else: is another version deployed than the one checked out here?',
          );
        }
        const { console_path, session_id, link_expires_at, expires_at } = answer.made;
        const url = `${apiUrl}${console_path}`;
        const may = rights === 'on-call' ? 'looks, and may operate circuits' : 'looks';
        const end = `npm run ops -- end-console ${session_id}${rights === 'on-call' ? '' : ` --as ${rights}`}${stage.isLocal ? '' : ` ${stage.option}`}`;
        print(
          [
            url,
            '',
            `It signs in whoever opens it first, until ${link_expires_at}: open it yourself.`,
            `${session_id} ${may}, until ${expires_at}. To end it sooner: ${end}`,
          ].join('\n'),
          { session_id, rights, url, link_expires_at, expires_at },
        );
        return true;
      },
    }),
    operatorCommand({
      name: 'end-console',
      summary: 'End a session of the whole stage; its link and its token fail from the next request on',
      arguments: { session: { help: 'stg_…, as console and the trail show it' } },
      options: { ...RIGHTS, ...ON_STAGE },
      example: 'stg_jrm2Q4Ev3ibAiZhepIZAhY',
      async run({ session, as: rights, stage }, { print }) {
        const { who, ask } = await consoleOf(stage);
        const answer = isStageSessionId(session)
          ? await ask(rights, { end: { who, session_id: session } })
          : undefined;
        if (answer === undefined || !('ended' in answer) || !answer.ended) {
          throw new ExplainedError(
            `${stage} has no session ${JSON.stringify(session)} of ${rights}. Its trail names them: npm run ops -- audit ${stage.option}`,
          );
        }
        print(`${session} has ended.`, { session_id: session });
        return true;
      },
    }),
  ];
}
