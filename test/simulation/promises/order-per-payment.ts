import { type Check, nameOf } from './line.ts';

/** No message is attempted before each earlier one of its key has been answered with success. */
export const orderPerPayment: Check = (_world, lines) =>
  lines.flatMap((line) =>
    line.messages.flatMap((message, index) =>
      message.requests.flatMap(({ startedAtMs, attempt }) =>
        line.messages
          .slice(0, index)
          .filter(
            (earlier) =>
              !earlier.requests.some(
                ({ heardSuccess, heardAtMs }) => heardSuccess && heardAtMs! <= startedAtMs,
              ),
          )
          .map(
            (earlier) =>
              `${nameOf(message, line)} was attempted (${attempt}) before ${earlier.eventId} was delivered`,
          ),
      ),
    ),
  );
