import type { Described } from '../../../functions/api/operation.ts';
import { asksForStage, asStageSees } from './access.ts';
import { undocumented } from './documented-answers.ts';
import type { Sent } from './play.ts';
import { type Answered, type Outcome, type Sending, tracesOf } from './world.ts';

/**
 * What holds for every answer: it is as documented, and shows nothing of another service and no secret. Those
 * who run the stage see all services, and nothing that these have written.
 */
export function checkAnswer(
  operation: Described,
  request: Sending,
  answer: Answered,
  at: Pick<Sent, 'service' | 'stranger'>,
): void {
  const shown = JSON.stringify([answer.headers, answer.body]);
  const asked = JSON.stringify(request);
  const isForStage = asksForStage(operation, request);
  const others = isForStage && operation.isOfStage ? [] : tracesOf(at.stranger);
  const leaked = others.filter((text) => shown.includes(text) && !asked.includes(text));
  const private_ = isForStage ? [at.service.own, at.stranger.own] : [];
  const told = [...at.service.hidden, ...at.stranger.hidden, ...private_].filter((text) =>
    shown.includes(text),
  );
  if (isForStage && answer.status < 300 && answer.body !== undefined) {
    expect(answer.body).toEqual(asStageSees(answer.body));
  }
  const operationId = operation.id;
  // The document says of a service's operation what services get.
  const differences = isForStage && !operation.isOfStage ? [] : undocumented(operationId, answer);
  if (leaked.length + told.length + differences.length > 0 || answer.status >= 500) {
    throw new Error(JSON.stringify({ operationId, request, answer, leaked, told, differences }));
  }
}

export function outcomeOf({ status, body }: Answered): Outcome {
  return status < 400 ? status : (String(body?.type).replace('urn:payhooks:problem:', '') as Outcome);
}
