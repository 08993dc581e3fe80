import type { DisabledReason } from '../attempt/answers.ts';
import { asPlainText } from '../text/plain-text.ts';
import { CONFIRM_WITHIN_MS } from './link-token.ts';
import type { Notice, NoticeKind } from './notice.ts';

/** All texts of notices: for mails, as plain text and HTML, and for the page to which their links lead. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** To which a mail program posts; absent in the mail that asks for confirmation. */
  readonly unsubscribe?: string;
}

/** What a mail is about. `description` is what its partner wrote. */
export interface About {
  readonly service_id: string;
  readonly subscription_id: string;
  readonly description: string;
  readonly callback_url: string;
}

const DAYS_TO_CONFIRM = CONFIRM_WITHIN_MS / 86_400_000;

interface Text {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

const DISABLED_BECAUSE: Readonly<Record<DisabledReason, string>> = {
  gone: ', because your endpoint answered 410 Gone',
  asked_by_receiver: ', because your endpoint asked for it in its answer',
  failing: ', because your endpoint had failed for days',
};

const TEXTS: Readonly<Record<NoticeKind, (notice: Notice) => Text>> = {
  'endpoint.failing': ({ since }) => ({
    subject: 'Your webhook endpoint is failing',
    paragraphs: [
      `Your endpoint has been failing since ${minute(since)}. Webhooks wait, in order, and we keep trying it. Nothing is lost so far.`,
      'If it keeps failing, you get another mail after an hour, and one a day about what repeats.',
    ],
  }),
  'endpoint.open': ({ since }) => ({
    subject: 'Your webhook endpoint has been failing for an hour',
    paragraphs: [
      `Your endpoint has been failing since ${minute(since)}. Webhooks wait, in order. A message that cannot be delivered for about three days is given up.`,
      'When your endpoint answers again, deliveries resume by themselves.',
    ],
  }),
  'subscription.disabled': ({ since, reason }) => ({
    subject: 'Your webhook subscription was disabled',
    paragraphs: [
      `Your subscription was disabled on ${minute(since)}${DISABLED_BECAUSE[reason as DisabledReason] ?? ''}. Nothing is sent until you enable it.`,
      'Messages wait for 76 hours from when they were accepted. Enable the subscription before then, and they are sent in order.',
    ],
  }),
  'messages.given_up': ({ since, given_up = 1 }) => ({
    subject: 'Webhooks to your endpoint were given up',
    paragraphs: [
      `${countOf(given_up, 'message was', 'messages were')} given up, the first on ${minute(since)}: your endpoint did not accept them in time.`,
      'They are not tried again by themselves. You can send them again, one by one or by a recovery.',
    ],
  }),
  'secret.rotated': ({ since, ends_at }) => ({
    subject: 'A signing secret of your webhooks was added',
    paragraphs: [
      `A new signing secret signs your webhooks since ${minute(since)}.`,
      ends_at === undefined
        ? 'No other secret is about to end.'
        : `Another one ends on ${minute(ends_at)}: have your endpoint verify with the new one before then.`,
      'If none of you did this, revoke the secret and change your API tokens.',
    ],
  }),
  'secret.ending': ({ ends_at = '' }) => ({
    subject: 'A signing secret of your webhooks is about to end',
    paragraphs: [
      `A signing secret stops signing on ${minute(ends_at)}. Your endpoint must verify with a newer one before then.`,
    ],
  }),
  digest: ({ since, failed_again = 0, given_up = 0 }) => ({
    subject: 'Your webhooks: what has repeated',
    paragraphs: [
      `Since ${minute(since)}:`,
      ...(failed_again > 0 ? [`Your endpoint failed again ${countOf(failed_again, 'time', 'times')}.`] : []),
      ...(given_up > 0 ? [`${countOf(given_up, 'more message was', 'more messages were')} given up.`] : []),
    ],
  }),
};

/** What happened, in a sentence without a full stop. */
export function headlineOf(notice: Notice): string {
  return TEXTS[notice.kind](notice).subject;
}

/** The mail of a notice. @param unsubscribe the address of its link */
export function mailOf(notice: Notice, to: string, about: About, unsubscribe: string): Mail {
  const { subject, paragraphs } = TEXTS[notice.kind](notice);
  return {
    ...composed({
      subject,
      paragraphs,
      about,
      links: [{ text: 'No more of these mails', url: unsubscribe }],
    }),
    ...{ to, unsubscribe },
  };
}

/**
 * The mail that asks whether an address wants notices. It says nothing of what happens there, and has no
 * description: a partner could have us send words and links of its own to anybody.
 */
export function confirmationMail(to: string, about: About, confirm: string): Mail {
  return {
    ...composed({
      subject: 'Do you want mails about this webhook subscription?',
      paragraphs: [
        'Somebody named this address as the contact of a webhook subscription. With your consent we write to it when the endpoint fails, when messages are given up, and when signing secrets change.',
        `Without it, we send nothing more. The link works for ${DAYS_TO_CONFIRM} days.`,
      ],
      about: { ...about, description: '' },
      links: [{ text: 'Yes, write to me', url: confirm }],
    }),
    to,
  };
}

interface Composed extends Text {
  readonly about: About;
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

function composed({ subject, paragraphs, about, links }: Composed): Pick<Mail, 'subject' | 'text' | 'html'> {
  const facts = [
    `Service: ${oneLine(about.service_id)}`,
    `Subscription: ${oneLine(about.subscription_id)}`,
    ...(about.description === '' ? [] : [`Description: ${oneLine(about.description)}`]),
    ...(about.callback_url === '' ? [] : [`Endpoint: ${oneLine(hostOf(about.callback_url))}`]),
  ];
  return {
    subject: oneLine(`${subject} (${about.subscription_id})`),
    text: [...paragraphs, facts.join('\n'), ...links.map(({ text, url }) => `${text}:\n${url}`)].join('\n\n'),
    html: htmlPage(
      subject,
      [
        ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
        `<p>${facts.map(escaped).join('<br>')}</p>`,
        ...links.map(({ text, url }) => `<p><a href="${escaped(url)}">${escaped(text)}</a></p>`),
      ].join('\n'),
    ),
  };
}

/** What the page says after a link was followed, or before. */
export const PAGE_TEXTS = {
  confirm: {
    title: 'Mails about your webhooks',
    question: 'Write to this address when your webhook endpoint fails?',
    button: 'Yes, write to me',
    done: 'Done. We write to you when there is something to tell.',
  },
  unsubscribe: {
    title: 'No more mails about your webhooks',
    question: 'Send no more mails about this webhook subscription to this address?',
    button: 'No more mails',
    done: 'Done. We send no more mails about this subscription to this address.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'It is not complete, or not from us. Copy the whole link from the mail.',
  },
  obsolete: {
    title: 'This link does not work any more',
    text: 'It has expired, or the contact of the subscription has changed. To be asked again, remove the contact, wait ten minutes, and set it again.',
  },
} as const;

interface PageContent {
  /** Of a form that posts to the page's own address. @default - there is nothing to decide */
  readonly button?: string;
  /** What was told so far, newest first. */
  readonly sent?: readonly Notice[];
}

export function linkPage(title: string, text: string, { button, sent = [] }: PageContent = {}): string {
  const form = button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`;
  const lines = sent.map((notice) => `<li>${escaped(`${minute(notice.at)}: ${headlineOf(notice)}`)}</li>`);
  const list = lines.length === 0 ? '' : `<h2>Sent so far</h2>\n<ul>\n${lines.join('\n')}\n</ul>`;
  return htmlPage(title, `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>\n${form}\n${list}`);
}

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body>
${body}
</body></html>
`;
}

const MAX_CHARACTERS = 200;

/** Text of others as one line: without control characters and marks that change its direction, and bounded. */
export function oneLine(text: string): string {
  const plain = asPlainText(text);
  const characters = [...plain];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : plain;
}

/** Text as HTML, within an element or a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function minute(at: string): string {
  return `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}

function countOf(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}
