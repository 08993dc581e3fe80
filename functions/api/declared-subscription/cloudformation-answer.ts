import type { DeclarationRequest } from './declaration.ts';

/** CloudFormation shows at most this many characters of a reason. */
const MAX_REASON = 1_000;

export type Outcome =
  | { readonly status: 'SUCCESS'; readonly id: string }
  | { readonly status: 'FAILED'; readonly id: string; readonly reason: string };

/**
 * What CloudFormation is told. Source: "Custom resource response objects", AWS CloudFormation User Guide.
 */
export function answerOf({ StackId, RequestId, LogicalResourceId }: DeclarationRequest, outcome: Outcome) {
  return {
    Status: outcome.status,
    PhysicalResourceId: outcome.id,
    StackId,
    RequestId,
    LogicalResourceId,
    ...(outcome.status === 'FAILED' ? { Reason: outcome.reason.slice(0, MAX_REASON) } : {}),
  };
}

/**
 * Answers to the URL that CloudFormation has signed for this request, without a content type, which is part
 * of the signature.
 *
 * @throws when it is not taken: Lambda then repeats the request
 */
export async function answerCloudFormation(request: DeclarationRequest, outcome: Outcome): Promise<void> {
  const response = await fetch(request.ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify(answerOf(request, outcome)),
  });
  if (!response.ok) {
    throw new Error(`CloudFormation did not take the answer: ${response.status}`);
  }
}
