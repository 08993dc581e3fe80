import type { MatchPorts } from './ports.ts';

/**
 * Ports for an invocation that ends then: what is not on its way by then was not taken, and comes again. Managed Instances do not end who is late, and others get the records one
 * day. Source: "Understanding the Lambda Managed Instances execution environment", AWS Lambda Developer Guide.
 */
export function sendingUntil(ports: MatchPorts, endsAtMs: number, now: () => number): MatchPorts {
  return {
    ...ports,
    async send(messages) {
      if (now() < endsAtMs) {
        return ports.send(messages);
      }
      ports.internalError(new Error('no time was left to send'), messages.length);
      return messages;
    },
  };
}
