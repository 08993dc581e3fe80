import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { untilUncontended } from '../adapters/dynamodb/until-uncontended.ts';
import { readLink } from '../core/notices/link-token.ts';
import { linkPage, PAGE_TEXTS } from '../core/notices/mail.ts';
import type { ToldNotice } from '../core/notices/notice.ts';
import { afterLink, type NoticeBook } from '../core/notices/notice-book.ts';
import type { NoticesPorts } from './ports.ts';

/** The parts of a request that are used. */
export interface LinkRequest extends Pick<APIGatewayProxyEventV2, 'queryStringParameters'> {
  readonly requestContext: {
    readonly http: Pick<APIGatewayProxyEventV2['requestContext']['http'], 'method'>;
  };
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Forms may be sent to where the page came from; nothing else is allowed.
  'content-security-policy':
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

/** What a link of a mail leads to. Only a POST changes something: programs that check mails follow links. */
export async function followLink(
  { queryStringParameters, requestContext }: LinkRequest,
  ports: Pick<NoticesPorts, 'linkKey' | 'book' | 'replace' | 'now'>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { method } = requestContext.http;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    return {
      ...answered(405, linkPage('Not allowed', 'Open the link from the mail.')),
      headers: { ...HEADERS, allow: 'GET, HEAD, POST' },
    };
  }
  const link = readLink(await ports.linkKey(), queryStringParameters?.token ?? '', ports.now());
  if (link === undefined) {
    return answered(400, linkPage(PAGE_TEXTS.unknown.title, PAGE_TEXTS.unknown.text));
  }
  const { title, question, button, done } = PAGE_TEXTS[link.purpose];
  const first = await ports.book(link.subscriptionId);
  const book = await untilUncontended<NoticeBook | undefined, NoticeBook | undefined>(
    first,
    async (before) => {
      const after = link.isExpired ? undefined : afterLink(before, link, ports.now());
      const isKept = after === undefined || after === before || method !== 'POST';
      return isKept || (await ports.replace(before, after))
        ? { result: after }
        : { again: await ports.book(link.subscriptionId) };
    },
  );
  if (book === undefined) {
    return answered(410, linkPage(PAGE_TEXTS.obsolete.title, PAGE_TEXTS.obsolete.text));
  }
  // Only who gets the notices sees what they were.
  const sent = link.purpose === 'unsubscribe' ? book.sent.filter(isMailed) : [];
  return answered(
    200,
    method === 'POST' ? linkPage(title, done, { sent }) : linkPage(title, question, { button, sent }),
  );
}

const isMailed = ({ by, result }: ToldNotice) => by === 'mail' && result === 'sent';

const answered = (statusCode: number, body: string) => ({ statusCode, headers: HEADERS, body });
