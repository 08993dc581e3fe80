import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { SendMail } from '../../core/notices/ports.ts';

/**
 * Sends mails by SES. It makes the message of parts, so nothing in one of them becomes a header.
 * `List-Unsubscribe-Post`: RFC 8058, mail programs unsubscribe by one POST.
 *
 * @param sender an address, or a name and an address in angle brackets
 */
export function mailSender(client: SESv2Client, sender: string): SendMail {
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return async ({ to, subject, text, html, unsubscribe }) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: sender,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: utf8(subject),
            Body: { Text: utf8(text), Html: utf8(html) },
            Headers: [
              { Name: 'Auto-Submitted', Value: 'auto-generated' },
              ...(unsubscribe === undefined
                ? []
                : [
                    { Name: 'List-Unsubscribe', Value: `<${unsubscribe}>` },
                    { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
                  ]),
            ],
          },
        },
      }),
    );
  };
}
