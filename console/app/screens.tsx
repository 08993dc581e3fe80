import { AnalysisScreen } from '../analysis/analysis-screen.tsx';
import { ChangesScreen } from '../changes/changes-screen.tsx';
import { MessageScreen } from '../messages/message-screen.tsx';
import { MessagesScreen } from '../messages/messages-screen.tsx';
import { PaymentScreen } from '../payments/payment-screen.tsx';
import { RecoverScreen } from '../recover/recover-screen.tsx';
import { HealthScreen } from '../stage/health-screen.tsx';
import { CreateScreen } from '../subscriptions/form/create-screen.tsx';
import { EditScreen } from '../subscriptions/form/edit-screen.tsx';
import { OverviewScreen } from '../subscriptions/one/overview-screen.tsx';
import { SecretsScreen } from '../subscriptions/secrets/secrets-screen.tsx';
import { SubscriptionsScreen } from '../subscriptions/subscriptions-screen.tsx';
import { TEXT } from '../texts.ts';
import { Screen } from '../view/screen.tsx';
import { hrefOf, serviceIn } from './route.ts';
import { useIsOfStage } from './session.ts';
import { useRoute } from './use-route.ts';

/**
 * The screen of the address. A screen of another thing begins anew: nothing typed moves from one to another.
 */
export function Screens() {
  const route = useRoute();
  const isOfStage = useIsOfStage();
  if (isOfStage && serviceIn(location.hash) === undefined) {
    return route.screen === 'analysis' ? (
      <AnalysisScreen parameters={new URLSearchParams(route.parameters)} />
    ) : (
      <HealthScreen />
    );
  }
  switch (route.screen) {
    case 'subscriptions':
      return <SubscriptionsScreen />;
    case 'new':
      return <CreateScreen />;
    case 'subscription':
      return <OverviewScreen key={route.id} id={route.id} />;
    case 'edit':
      return <EditScreen key={route.id} id={route.id} />;
    case 'secrets':
      return <SecretsScreen key={route.id} id={route.id} />;
    case 'messages':
      return <MessagesScreen key={route.id} id={route.id} filter={route.filter} open={route.open} />;
    case 'message':
      return <MessageScreen key={route.id} id={route.id} />;
    case 'recover':
      return <RecoverScreen key={route.id} id={route.id} recovery={route.recovery} filter={route.filter} />;
    case 'payment':
      return <PaymentScreen key={route.id} id={route.id} />;
    case 'changes':
      return <ChangesScreen key={route.subscription} subscription={route.subscription} />;
    default:
      return (
        <Screen title={TEXT.nowhere.title} name={TEXT.nowhere.title}>
          <p>
            {TEXT.nowhere.text} <a href={hrefOf({ screen: 'subscriptions' })}>{TEXT.subscriptions.title}</a>
          </p>
        </Screen>
      );
  }
}
