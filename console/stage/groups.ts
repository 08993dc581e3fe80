import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { TEXT } from '../texts.ts';
import type { Tone } from '../words/tone.ts';

/** Endpoints with the same trouble. */
export interface Group {
  /** In a few words: `answers 503`. */
  readonly cause: string;
  readonly tone: Tone;
  /** The section of the runbook. */
  readonly runbook: string;
  /** In the order in which they came: the longest in trouble first. */
  readonly endpoints: readonly EndpointView[];
}

type Kind = Omit<Group, 'endpoints'>;

const DOWN = 'one-partner-is-down';
const SLOW = 'one-partner-is-slow';
const TONES: readonly Tone[] = ['bad', 'waits', 'off'];

/** By cause: what fails first, then what recovers, then what somebody stopped; in each the largest first. */
export function groupsOf(endpoints: readonly EndpointView[]): readonly Group[] {
  const groups = Map.groupBy(endpoints, (endpoint) => kindOf(endpoint).cause);
  return [...groups.values()]
    .map((those) => ({ ...kindOf(those[0] as EndpointView), endpoints: those }))
    .sort(
      (one, other) =>
        TONES.indexOf(one.tone) - TONES.indexOf(other.tone) || waitingIn(other) - waitingIn(one),
    );
}

function kindOf(endpoint: EndpointView): Kind {
  const { health, disabled_reason: why } = endpoint;
  const text = TEXT.stage.cause;
  switch (health) {
    case 'failing':
      return { cause: answered(endpoint) ?? text.failing, tone: 'bad', runbook: DOWN };
    case 'well':
      return { cause: text.refusing(answered(endpoint)), tone: 'bad', runbook: DOWN };
    case 'disabled':
      return { cause: text.disabled(why && TEXT.disabledReason[why]), tone: 'off', runbook: DOWN };
    case 'slow':
    case 'recovering':
      return { cause: text[health], tone: 'waits', runbook: SLOW };
    default:
      return { cause: text[health], tone: 'off', runbook: DOWN };
  }
}

/** What it answers, or why no answer comes. */
function answered({
  last_failure_class: failure,
  last_status_code: status,
}: EndpointView): string | undefined {
  return failure === 'http_status' && status !== undefined
    ? TEXT.stage.cause.answers(status)
    : failure && TEXT.failureClass[failure];
}

function waitingIn({ endpoints }: Pick<Group, 'endpoints'>): number {
  return endpoints.reduce((sum, { waiting }) => sum + waiting, 0);
}
