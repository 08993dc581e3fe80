import { type About, confirmationMail, linkPage, mailOf } from '../../../../functions/core/notices/mail.ts';
import { NOTICE_KINDS, noticeOf } from '../../../../functions/core/notices/notice.ts';

const AT = '2026-11-02T08:00:00.000Z';
const ABOUT: About = {
  service_id: 'bakery',
  subscription_id: 'sub_1',
  description: 'Shop',
  callback_url: 'https://shop.example/webhooks?token=hunter2',
};
const notice = noticeOf('endpoint.failing', ABOUT, 'one', { at: AT, since: AT });

test('a mail says what happened, to which subscription, and how to get no more, in both forms', () => {
  const { to, subject, text, html, unsubscribe } = mailOf(
    notice,
    'ops@shop.example',
    ABOUT,
    'https://api.example/u?token=t',
  );
  expect({ to, subject, unsubscribe }).toEqual({
    to: 'ops@shop.example',
    subject: 'Your webhook endpoint is failing (sub_1)',
    unsubscribe: 'https://api.example/u?token=t',
  });
  expect(
    text,
  ).toBe(`Your endpoint has been failing since 2026-11-02 at 08:00 UTC. Webhooks wait, in order, and we keep trying it. Nothing is lost so far.

If it keeps failing, you get another mail after an hour, and one a day about what repeats.

Service: bakery
Subscription: sub_1
Description: Shop
Endpoint: shop.example

No more of these mails:
https://api.example/u?token=t`);
  expect(html).toContain('<p><a href="https://api.example/u?token=t">No more of these mails</a></p>');
  expect(text + html).not.toContain('hunter2');
});

test('the mail that asks names nobody, and cannot be unsubscribed from: nothing follows without consent', () => {
  const mail = confirmationMail('ops@shop.example', ABOUT, 'https://api.example/c?token=t');
  expect(mail.unsubscribe).toBeUndefined();
  expect(mail.text).toContain('Without it, we send nothing more.');
});

test('the mail that asks, which goes to any address, carries no text that a partner wrote for it', () => {
  const about = { ...ABOUT, description: 'Your account is blocked: https://bank.example' };
  const { subject, text, html } = confirmationMail('a@stranger.example', about, 'https://api.example/c');
  expect(subject + text + html).not.toMatch(/blocked|bank/);
  expect(text).toContain('Service: bakery\nSubscription: sub_1\nEndpoint: shop.example');
});

test('no text of others becomes markup, a header, a second line or a long mail', () => {
  const hostile = {
    ...ABOUT,
    description: `</p><script>alert(1)</script>\r\nBcc: all@shop.example\u202e\u0000${'x'.repeat(10_000)}`,
    subscription_id: 'sub_1\r\nBcc: all@shop.example',
    service_id: '"><img src=x onerror=alert(1)>',
    callback_url: 'https://shop.example/<b>\n',
  };
  for (const kind of NOTICE_KINDS) {
    const { subject, text, html } = mailOf(
      { ...notice, kind },
      'ops@shop.example',
      hostile,
      'https://api.example/u?token="><b>',
    );
    expect(subject).toMatch(/^[^\r\n]{1,201}$/);
    expect(text).not.toMatch(/^Bcc/m);
    expect(text.length).toBeLessThan(2_000);
    expect(html).not.toMatch(/<script|<img|<b>|\u202e|\0/);
  }
  expect(linkPage('<b>', '"&', { button: '</button>' })).not.toMatch(/<b>|"&|<\/button><\/button>/);
});
