import type { MessageFilter } from '../app/route.ts';
import { amend } from '../app/use-route.ts';
import { TEXT } from '../texts.ts';
import { localTime } from '../words/time.ts';
import { visible } from '../words/visible.ts';

interface FilterChipsProps {
  readonly filter: MessageFilter;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

const LABELS = {
  state: TEXT.messages.state,
  event_type: TEXT.messages.type,
  payment_id: TEXT.messages.payment,
  since: TEXT.messages.since,
  until: TEXT.messages.until,
} as const satisfies Record<keyof MessageFilter, string>;

/** What the list is narrowed to, in one line, where the form would take the screen. */
export function FilterChips({ filter, isOpen, toggle }: FilterChipsProps) {
  return (
    <div class="chips">
      <button type="button" aria-expanded={isOpen} aria-controls="filters" onClick={toggle}>
        {TEXT.messages.filters}
      </button>
      {Object.entries(filter).map(([name, value]) => {
        const text = `${LABELS[name as keyof MessageFilter]}: ${shown(name, value)}`;
        return (
          <button
            key={name}
            type="button"
            class="chip"
            onClick={() =>
              amend('messages', ({ screen, id, filter: now }) => ({
                screen,
                id,
                filter: { ...now, [name]: '' },
              }))
            }
          >
            {text} <span class="for-readers">{TEXT.messages.without}</span> <span aria-hidden="true">×</span>
          </button>
        );
      })}
    </div>
  );
}

function shown(name: string, value: string): string {
  if (name === 'since' || name === 'until') return localTime(value, Date.now());
  if (name !== 'state') return visible(value);
  return TEXT.messageState[value as keyof typeof TEXT.messageState] ?? visible(value);
}
