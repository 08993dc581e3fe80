import type { MessageSummary, MessageView } from '../../../functions/core/message/message-view.ts';
import { cutTo, printable, textTable } from '../../terminal/terminal.ts';
import { messagePage } from '../partner.ts';
import { anyNumber, ID, partnerCommand } from '../partner-command.ts';
import { memberLines } from '../text/changed-text.ts';
import { moreText } from '../text/subscription-text.ts';

const MAX_OF_A_PAGE = 100;

export const LIMIT = {
  value: 'N',
  default: '20',
  check: anyNumber.refine(
    (value) => Number.isInteger(value) && value >= 1,
    'must be a whole number, at least 1',
  ),
  help: 'how many messages at most',
} as const;

export const CURSOR = {
  value: 'CURSOR',
  help: 'continue where an earlier list ended, with the same options',
} as const;

export const messages = partnerCommand({
  name: 'messages',
  arguments: { subscription: ID },
  summary: 'List the messages of a subscription, newest first',
  example: 'sub_2cXj1x8 --state exhausted --limit 50',
  options: {
    payment: { value: 'ID', help: 'only of this payment' },
    state: { value: 'NAME', help: 'retrying, parked, succeeded, exhausted or cancelled' },
    'event-type': { value: 'TYPE', help: 'only of this event type' },
    since: { value: 'INSTANT', help: 'admitted at or after this instant, such as 2026-11-14T10:00:00Z' },
    until: { value: 'INSTANT', help: 'admitted before this instant' },
    limit: LIMIT,
    cursor: CURSOR,
  },
  async run(given, { api, print }) {
    const { limit } = given;
    const filter = {
      payment_id: given.payment,
      state: given.state,
      event_type: given['event-type'],
      since: given.since,
      until: given.until,
    };
    const found: MessageSummary[] = [];
    let cursor = given.cursor;
    do {
      const size = String(Math.min(limit - found.length, MAX_OF_A_PAGE));
      const page = await messagePage(api, given.subscription, { ...filter, limit: size, cursor });
      found.push(...page.messages);
      cursor = page.next_cursor;
    } while (cursor !== undefined && found.length < limit);
    const json = { messages: found, ...(cursor === undefined ? {} : { next_cursor: cursor }) };
    print([...tableOf(found), ...moreText(cursor)].join('\n'), json);
    return true;
  },
});

function tableOf(found: readonly MessageSummary[]): string[] {
  if (found.length === 0) {
    return ['There are none.'];
  }
  const rows = found.map((message) => [
    message.admitted_at,
    message.message_id,
    message.event_type,
    message.payment_id,
    [message.state, message.state_reason].filter(Boolean).join(' '),
    String(message.attempt_count),
    String(message.last_status_code ?? message.last_failure_class ?? '-'),
  ]);
  const titles = ['admitted at', 'message', 'event type', 'payment', 'state', 'attempts', 'answer'];
  return textTable([titles, ...rows]);
}

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
