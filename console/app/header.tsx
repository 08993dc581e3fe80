import { TEXT } from '../texts.ts';
import { Moment } from '../view/moment.tsx';
import { hrefOf, type Route } from './route.ts';
import { signOut, useSignedIn } from './session.ts';
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

export function Header() {
  const { portal } = useSignedIn();
  const { screen } = useRoute();
  return (
    <header class="top">
      <a class="brand" href={hrefOf({ screen: 'subscriptions' })}>
        {TEXT.product}
      </a>
      <nav class="places" aria-label={TEXT.places}>
        {PLACES.map(({ name, route, screens }) => (
          <a
            key={name}
            href={hrefOf(route)}
            {...(screens.includes(screen) ? { 'aria-current': 'page' as const } : {})}
          >
            {name}
          </a>
        ))}
      </nav>
      <div class="who">
        {portal && (
          <span class="soft">
            {portal.rights === 'read' && `${TEXT.session.readOnly} · `}
            {TEXT.session.until} <Moment at={portal.expires_at} />
          </span>
        )}
        <button type="button" class="quiet" onClick={signOut}>
          {TEXT.session.signOut}
        </button>
      </div>
    </header>
  );
}
