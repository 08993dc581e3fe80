import { TEXT } from '../texts.ts';
import { Moment } from '../view/moment.tsx';
import { PRODUCT } from '../view/product.ts';
import { visible } from '../words/visible.ts';
import { IS_CAREFUL } from './page-settings.ts';
import { hrefOf, type Route, serviceIn } from './route.ts';
import { signOut, useSignedIn } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { useRoute } from './use-route.ts';

interface Place {
  readonly name: string;
  readonly route: Route;
  /** Where it is the place that one is at. */
  readonly screens: readonly Route['screen'][];
}

const PLACES: readonly Place[] = [
  {
    name: TEXT.subscriptions.title,
    route: { screen: 'subscriptions' },
    screens: ['subscriptions', 'new', 'subscription', 'edit', 'secrets', 'messages', 'recover', 'message'],
  },
  { name: TEXT.payment.title, route: { screen: 'payment' }, screens: ['payment'] },
  { name: TEXT.changes.title, route: { screen: 'changes' }, screens: ['changes'] },
];

const HEALTH: Place = { name: TEXT.stage.title, route: { screen: 'health' }, screens: ['health'] };

const ANALYSIS: Place = { name: TEXT.analysis.title, route: { screen: 'analysis' }, screens: ['analysis'] };
const OF_STAGE = [HEALTH, ANALYSIS];

/** A session of the whole stage begins with its health; the other places are of the service looked at. */
function placesOf(isOfStage: boolean, service: string | undefined): readonly Place[] {
  if (!isOfStage) return PLACES;
  return service === undefined ? OF_STAGE : [...OF_STAGE, ...PLACES];
}

export function Header() {
  const { portal, service: own } = useSignedIn();
  const route = useRoute();
  const { stage } = portal ?? {};
  const service = serviceIn(location.hash);
  const whose = stage ? service : own;
  const screen = stage && service === undefined && route.screen !== 'analysis' ? 'health' : route.screen;
  const places = placesOf(stage !== undefined, service);
  return (
    <>
      <DeploymentBar />
      <header class="top">
        <a class="brand" href={hrefOf({ screen: stage ? 'health' : 'subscriptions' })}>
          {PRODUCT}
        </a>
        <nav class="places" aria-label={TEXT.places}>
          {places.map(({ name, route, screens }) => (
            <a
              key={name}
              href={hrefOf(route)}
              {...(screens.includes(screen) ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </a>
          ))}
        </nav>
        <Shortcuts />
        <div class="who">
          <span class="soft">
            {whose !== undefined && <bdi>{visible(whose)}</bdi>}
            {portal && (
              <>
                {whose !== undefined && ' · '}
                {stage
                  ? `${TEXT.stage[stage]} · `
                  : portal.rights === 'read' && `${TEXT.session.readOnly} · `}
                {TEXT.session.until} <Moment at={portal.expires_at} />
              </>
            )}
          </span>
          <button type="button" class="quiet" onClick={signOut}>
            {TEXT.session.signOut}
          </button>
        </div>
      </header>
    </>
  );
}

/** Which stage this is, on every screen, for those who could mistake one for another. */
function DeploymentBar() {
  const { deployment } = useSignedIn().portal ?? {};
  return deployment === undefined ? null : (
    <p class={IS_CAREFUL ? 'deployment careful' : 'deployment'}>
      <strong>{visible(deployment.name)}</strong> {TEXT.stage.account(visible(deployment.account))}
    </p>
  );
}
