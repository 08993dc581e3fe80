import type { MatchPorts } from './ports.ts';

/**
 * Ports that send nothing after an instant: what is not sent by then was not taken, and is redelivered.
 * Lambda Managed Instances do not stop an invocation that is late, while SQS delivers its records to another
 * one. Source: "Understanding the Lambda Managed Instances execution environment", AWS Lambda Developer
 * Guide.
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
