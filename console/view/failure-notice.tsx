import { detailIn, type Failure } from '../api/failure.ts';
import { TEXT } from '../texts.ts';
import { visible } from '../words/visible.ts';

interface FailureNoticeProps {
  readonly failure: Failure | undefined;
  /** What did not happen: `The ping was not sent`. */
  readonly what: string;
  readonly again?: () => void;
}

/** Says what went wrong and what to do. Nothing while all is well. */
export function FailureNotice({ failure, what, again }: FailureNoticeProps) {
  // Whoever is signed out is asked to sign in again, in front of everything.
  if (failure === undefined || failure.kind === 'signed_out') {
    return null;
  }
  const { detail, requestId } = explained(failure);
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{what}.</strong> {visible(detail)}
      </p>
      {requestId && (
        <p class="soft">
          {TEXT.failure.requestId} <code>{visible(requestId)}</code>
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          {TEXT.failure.again}
        </button>
      )}
    </div>
  );
}

function explained(failure: Exclude<Failure, { kind: 'signed_out' }>): {
  detail: string;
  requestId?: string | undefined;
} {
  switch (failure.kind) {
    case 'refused':
      return { detail: detailIn(failure.problem), requestId: failure.problem.request_id };
    case 'unreachable':
      return { detail: TEXT.failure.unreachable };
    case 'late':
      return { detail: TEXT.failure.late };
    case 'unreadable':
      return { detail: TEXT.failure.unreadable(failure.status) };
  }
}
