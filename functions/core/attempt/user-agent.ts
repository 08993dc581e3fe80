/** What we call ourselves to endpoints. */
export const USER_AGENT = 'Payhooks/1 (payment webhooks)';
