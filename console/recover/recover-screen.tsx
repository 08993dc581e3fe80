import { useState } from 'preact/hooks';
import type { MessageFilter } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { replace } from '../app/use-route.ts';
import { SubscriptionFrame } from '../subscriptions/one/frame.tsx';
import { TEXT } from '../texts.ts';
import { Choose } from './choose.tsx';
import { RecoveryProgress } from './recovery-progress.tsx';

interface RecoverScreenProps {
  readonly id: string;
  /** A recovery that was started. */
  readonly recovery: string | undefined;
  readonly filter: MessageFilter | undefined;
}

export function RecoverScreen({ id, recovery, filter }: RecoverScreenProps) {
  const mayManage = useMayManage();
  const [expected, setExpected] = useState<number>();
  return (
    <SubscriptionFrame id={id} tab="recover">
      {() => (
        <>
          <p class="lead">{TEXT.recover.lead}</p>
          {recovery !== undefined ? (
            <RecoveryProgress key={recovery} id={id} recoveryId={recovery} expected={expected} />
          ) : mayManage ? (
            <Choose
              id={id}
              filter={filter}
              started={(started, counted) => {
                setExpected(counted);
                replace({ screen: 'recover', id, recovery: started });
              }}
            />
          ) : (
            <p class="soft">{TEXT.session.readOnlyWhy}</p>
          )}
        </>
      )}
    </SubscriptionFrame>
  );
}
