import { useEffect, useState } from 'preact/hooks';
import type { EndpointView } from '../../functions/core/trouble/endpoint-view.ts';
import { useChange } from '../api/change.ts';
import { TEXT } from '../texts.ts';
import { Dialog } from '../view/dialog.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Loading } from '../view/read.tsx';
import { effectOf, type Operated, type Signal } from './effect.ts';

interface OperateDialogProps {
  readonly endpoint: EndpointView;
  readonly signal: Signal;
  readonly close: () => void;
  readonly done: () => void;
}

/** Says what would happen, as the API found it a moment ago; then does it. */
export function OperateDialog({ endpoint, signal, close, done }: OperateDialogProps) {
  const { service_id, subscription_id } = endpoint;
  const { isUnderWay, failure, send } = useChange<Operated>();
  const [seen, setSeen] = useState<Operated>();
  const operate = async (dry_run: boolean) => {
    const body = { service_id, subscription_id, signal, dry_run };
    const answer = await send({ method: 'POST', path: '/stage/circuits', body });
    if (answer) setSeen(answer.body);
    if (answer && !dry_run) done();
  };
  useEffect(() => {
    operate(true);
  }, []);
  const text = TEXT.stage;
  return (
    <Dialog title={text.label(signal, subscription_id)} close={close}>
      <FailureNotice failure={failure} what={text.notOperated} />
      {seen ? (
        <div role="status">
          <ul>
            {effectOf(signal, seen, endpoint.waiting).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      ) : (
        failure === undefined && <Loading lines={2} />
      )}
      <div class="actions">
        {seen?.dry_run && (
          <button
            type="button"
            class={signal === 'open' ? 'danger' : 'main'}
            aria-disabled={isUnderWay}
            onClick={() => operate(false)}
          >
            {text.signal[signal]}
          </button>
        )}
        <button type="button" onClick={close}>
          {seen?.dry_run ? TEXT.cancel : TEXT.close}
        </button>
      </div>
    </Dialog>
  );
}
