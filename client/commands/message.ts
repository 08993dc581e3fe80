import type { MessageView } from '../../functions/core/message-view.ts';
import { textTable } from '../../operate/text-table.ts';
import type { Command } from '../command.ts';
import { memberLines } from '../member-lines.ts';

export const message: Command = {
  name: 'message',
  takes: ['message'],
  summary: 'One message with its body and every attempt',
  async run({ named }, { api, print }) {
    const found = (await api('GET', `/messages/${named.message}`)) as MessageView;
    print(textOf(found), found);
    return true;
  },
};

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
      : textTable([['attempt', 'started at', 'took', 'answer', ''], ...rows])),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');
}
