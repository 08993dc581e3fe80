import { Webhook } from 'standardwebhooks';

/** The event, or an exception when it is not genuine. */
export const eventOf = (body, headers, secret) => new Webhook(secret).verify(body.toString(), headers);
