import { consoleCommands } from '../../../../../cli/operator/token/console-commands.ts';
import type { StageLinkRequest, stageLink } from '../../../../../functions/api/stage-link/stage-link.ts';
import { ops } from '../../../../support/operator-run.ts';

const ID = 'stg_jrm2Q4Ev3ibAiZhepIZAhY';
const MADE = {
  session_id: ID,
  console_path: '/v1/console#code=phc_stage_x',
  link_expires_at: '2026-11-14T10:10:00.000Z',
  expires_at: '2026-11-14T18:00:00.000Z',
};

/** The commands of a stage whose functions answer this. */
function commands(answer: Awaited<ReturnType<typeof stageLink>>) {
  const asked: [string, StageLinkRequest][] = [];
  const given = consoleCommands(async () => ({
    apiUrl: 'https://api.example',
    who: 'arn:ada',
    async ask(rights, request) {
      asked.push([rights, request]);
      return answer;
    },
  }));
  const run = async (...args: string[]) => (await ops(args, {}, given)).printed;
  return { asked, run };
}

test('a link is made for on call, for eight hours, in the name of whoever asks', async () => {
  const { asked, run } = commands({ made: MADE });
  const printed = await run('console');
  expect(asked).toEqual([['on-call', { make: { who: 'arn:ada', lasts_seconds: 28_800 } }]]);
  expect(printed).toMatch(/^https:\/\/api\.example\/v1\/console#code=phc_stage_x\n/);
  expect(printed).toContain(`npm run ops -- end-console ${ID}`);
});

test('an analyst asks for one that looks, and for less time', async () => {
  const { asked, run } = commands({ made: MADE });
  expect(await run('console', '--as', 'analyst', '--hours', '0.5', '--stage', 'dev')).toContain(
    `end-console ${ID} --as analyst --stage dev`,
  );
  expect(asked).toEqual([['analyst', { make: { who: 'arn:ada', lasts_seconds: 1_800 } }]]);
});

test('a session is ended; one that is not there, or of the other kind, is said to be neither', async () => {
  expect(await commands({ ended: true }).run('end-console', ID)).toContain(`${ID} has ended.`);
  await expect(commands({ ended: false }).run('end-console', ID)).rejects.toThrow('has no session');
  const { asked, run } = commands({ ended: true });
  await expect(run('end-console', 'ses_1')).rejects.toThrow('has no session "ses_1" of on-call');
  expect(asked).toEqual([]);
});
