/**
 * What a failed attempt and the one after it cost, in US dollars: its record, timer, signal and POST, at the
 * list prices of us-east-1 as of 2026-11. By the cost model, `npm run ops -- cost`: a million webhooks at 100 a
 * second, with and without failures; a test holds it to that.
 */
export const RETRY_USD = 21 / 1_000_000;

/** A read unit of DynamoDB, likewise. */
export const READ_UNIT_USD = 0.125 / 1_000_000;
