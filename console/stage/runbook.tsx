import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';

interface RunbookProps {
  readonly section: string;
  readonly endpoint?: EndpointView;
}

/**
 * A section of docs/operations.md, by its anchor: an alarm's name, where it is about one. Its commands name the
 * stage, and the endpoint.
 */
export function Runbook({ section, endpoint }: RunbookProps) {
  const stage = useSignedIn().portal?.deployment?.name;
  return (
    <a
      href={`docs/operations.html${queryOf({ stage, service: endpoint?.service_id, subscription: endpoint?.subscription_id })}#${section}`}
      target="_blank"
      rel="noreferrer"
    >
      {TEXT.stage.section[section] ?? section}
    </a>
  );
}
