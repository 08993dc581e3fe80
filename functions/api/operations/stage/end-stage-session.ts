import { instant } from '../../../core/text/instant.ts';
import { describeOperation } from '../../operation.ts';
import { recorded } from '../../stage/recorded.ts';
import { stageOperation } from '../../stage/stage-operation.ts';

export const endStageSession = stageOperation({
  id: 'endStageSession',
  method: 'DELETE',
  path: '/v1/stage/session',
  scope: 'read',
  summary: 'End the session whose token this is',
  async run({ caller: { token_id: session } }, { sessions, operators, now, warn }) {
    const who = (await sessions.find(session))?.who ?? 'unknown';
    await recorded(
      { trail: operators, who },
      { command: 'console ended', arguments: { session } },
      async () => {
        await sessions.revoke(session, instant(now()));
        return { result: undefined, outcome: { ended: 1 } };
      },
      warn,
    );
    return { status: 204 };
  },
});

/* @__PURE__ */ describeOperation(
  endStageSession,
  'Signs out: the token fails from the next request on.',
  () => ({ 204: { description: 'The session has ended.' } }),
);
