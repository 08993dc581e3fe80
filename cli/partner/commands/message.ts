import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { cutTo, printable } from '../../terminal/printable.ts';
import { textTable } from '../../terminal/text-table.ts';
import { ID, partnerCommand } from '../partner-command.ts';
import { memberLines } from '../text/member-lines.ts';

export const message = partnerCommand({
  name: 'message',
  arguments: { message: ID },
  summary: 'Show a message with its body and every attempt',
  example: 'msg_2cXj1x8',
  async run(given, { api, print }) {
    const found = (await api('GET', `/messages/${given.message}`)) as MessageView;
    print(textOf(found), found);
    return true;
  },
});

/** Enough to read an error message. What an endpoint answers is often a whole page. */
const MAX_ANSWER_CHARACTERS = 400;

export function textOf({ attempts, body, ...rest }: MessageView): string {
  const rows = attempts.map((attempt) => [
    String(attempt.attempt),
    attempt.started_at,
    `${Math.round(attempt.duration_ms)} ms`,
    String(attempt.status_code ?? attempt.failure_class ?? '-'),
    attempt.failure_reason ?? '',
  ]);
  return [
    memberLines(rest),
    '',
    ...(rows.length === 0
      ? ['  no attempt yet']
      : textTable([['attempt', 'started at', 'took', 'answer', 'reason'], ...rows])),
    ...answersText(attempts),
    ...(body === undefined ? [] : ['', printable(body)]),
  ].join('\n');
}

/** The bodies of the answers with the numbers of their attempts, one line each. */
function answersText(attempts: MessageView['attempts']): string[] {
  const answers = attempts.flatMap(({ attempt, response_body = '' }) => {
    const text = response_body.trim().replaceAll(/\s+/g, ' ');
    return text === '' ? [] : [{ attempt: String(attempt), text, shown: cutTo(MAX_ANSWER_CHARACTERS, text) }];
  });
  if (answers.length === 0) {
    return [];
  }
  const isCut = answers.some(({ text, shown }) => shown !== printable(text));
  return [
    '',
    ...textTable([
      ['attempt', 'body of the answer'],
      ...answers.map(({ attempt, shown }) => [attempt, shown]),
    ]),
    ...(isCut ? ['  … cut; --json has what is on record of it'] : []),
  ];
}
