import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { hrefOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { CopyButton } from '../view/copy-button.tsx';
import { InWords } from '../view/in-words.tsx';
import { visible } from '../words/visible.ts';
import type { Signal } from './effect.ts';
import { Runbook } from './runbook.tsx';
import { endpointSentence } from './sentences.ts';

/** Which signals may change something, what stops deliveries last. The API has the last word. */
function signalsFor({ state, circuit, health }: EndpointView): readonly Signal[] {
  if (state !== 'active') return [];
  if (health === 'open by hand') return ['drain', 'close'];
  if (circuit.state === 'draining' || circuit.state === 'closed') return ['open'];
  return ['drain', 'close', 'open'];
}

interface EndpointRowProps {
  readonly endpoint: EndpointView;
  readonly name: string;
  /** The section of the runbook. */
  readonly runbook: string;
  /** Event to acknowledgement. */
  readonly p95Ms: number | undefined;
  readonly operate: (signal: Signal) => void;
}

export function EndpointRow({ endpoint, name, runbook, p95Ms, operate }: EndpointRowProps) {
  const { service_id: service, subscription_id: id, message_id, payment_id } = endpoint;
  const { portal } = useSignedIn();
  const text = TEXT.stage;
  return (
    <li class="row">
      <div class="row-head">
        <a class="row-name" href={hrefOf({ screen: 'subscription', id }, service)}>
          <bdi>{name}</bdi>
        </a>
        <span class="tag">{visible(service)}</span>
      </div>
      <InWords sentence={endpointSentence(endpoint, p95Ms)} />
      <div class="actions">
        <Runbook section={runbook} endpoint={endpoint} />
        <CopyButton
          text={() => text.command(`circuits show ${service} ${id}`, portal?.deployment?.name)}
          label={text.copyShow}
        />
        {message_id && (
          <a href={hrefOf({ screen: 'message', id: message_id }, service)}>{text.lastMessage}</a>
        )}
        {payment_id && <a href={hrefOf({ screen: 'payment', id: payment_id }, service)}>{text.itsPayment}</a>}
        {portal?.stage === 'on-call' &&
          signalsFor(endpoint).map((one) => (
            <button
              key={one}
              type="button"
              class={one === 'open' ? 'danger' : ''}
              onClick={() => operate(one)}
              aria-label={text.label(one, id)}
            >
              {text.signal[one]}
            </button>
          ))}
      </div>
    </li>
  );
}
