import { TEXT } from '../../texts.ts';
import { Badge } from '../../view/badge.tsx';
import { Moment } from '../../view/moment.tsx';
import { Outside } from '../../view/outside.tsx';
import { visible } from '../../words/visible.ts';
import { type Preview, takenText } from './preview.ts';

interface FilterPreviewProps {
  readonly preview: Preview | undefined;
  /** Whether it is about what is typed now. */
  readonly isCurrent: boolean;
}

/** Of each event whether the filter takes it, and what refuses it. Without links: what is typed would be lost. */
export function FilterPreview({ preview, isCurrent }: FilterPreviewProps) {
  return (
    <section class="field" aria-label={TEXT.preview.title} aria-busy={!isCurrent}>
      <p role="status">{preview && isCurrent ? takenText(preview) : TEXT.loading}</p>
      {preview && preview.messages.length > 0 && (
        <ul class="rows">
          {preview.messages.map(({ message_id, event_type, payment_id, admitted_at, ...one }) => (
            <li key={message_id} class="row">
              <div class="row-head">
                {one.taken ? (
                  <Badge tone="good" word={TEXT.preview.taken} />
                ) : (
                  <Badge tone="off" word={TEXT.preview.leftOut} />
                )}
                <code>{visible(event_type)}</code>
                <Outside text={payment_id} />
                <Moment at={admitted_at} />
              </div>
              {one.refused_by && (
                <p>
                  {TEXT.preview.refusedBy} <code>{visible(one.refused_by)}</code>
                </p>
              )}
              {one.fields && (
                <p class="soft">
                  {TEXT.preview.partly} <Outside text={one.fields.join(', ')} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
