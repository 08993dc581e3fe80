import type { MessageSummary } from '../../functions/core/message-view.ts';
import { ExplainedError } from '../../local/explained-error.ts';
import { textTable } from '../../operate/text-table.ts';
import type { Command } from '../command.ts';
import { messagePage } from '../partner.ts';
import { numberOf } from '../read-arguments.ts';

const MOST_OF_A_PAGE = 100;

export const messages: Command = {
  name: 'messages',
  takes: ['subscription'],
  summary: 'The messages of a subscription, newest first',
  options: {
    state: { value: 'NAME', help: 'retrying, parked, succeeded, exhausted or cancelled' },
    'event-type': { value: 'TYPE', help: 'such as card_payment_captured' },
    payment: { value: 'ID', help: 'of this payment' },
    since: { value: 'INSTANT', help: 'admitted from then on, 2026-11-14T10:00:00Z' },
    until: { value: 'INSTANT', help: 'admitted before' },
    limit: { value: 'N', help: 'so many at most (default: 20)' },
  },
  async run(given, { api, print }) {
    const limit = numberOf(given, 'limit') ?? 20;
    if (!Number.isInteger(limit) || limit < 1) {
      throw new ExplainedError('--limit: must be a whole number, 1 at least');
    }
    const filter = {
      state: given.text('state'),
      event_type: given.text('event-type'),
      payment_id: given.text('payment'),
      since: given.text('since'),
      until: given.text('until'),
    };
    const found: MessageSummary[] = [];
    let cursor: string | undefined;
    do {
      const size = String(Math.min(limit - found.length, MOST_OF_A_PAGE));
      const page = await messagePage(api, given.named.subscription ?? '', { ...filter, limit: size, cursor });
      found.push(...page.messages);
      cursor = page.next_cursor;
    } while (cursor !== undefined && found.length < limit);
    print(tableOf(found, cursor !== undefined), { messages: found, is_more: cursor !== undefined });
    return true;
  },
};

function tableOf(found: readonly MessageSummary[], isMore: boolean): string {
  if (found.length === 0) {
    return 'There is none.';
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
  return [...textTable([titles, ...rows]), ...(isMore ? ['  … and more: --limit'] : [])].join('\n');
}
