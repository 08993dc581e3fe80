import { hrefOf } from '../app/route.ts';
import { toneOf, wordOf } from '../messages/message-state.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { duration } from '../words/time.ts';
import { visible } from '../words/visible.ts';
import { type Course, type Entry, waitOf } from './timeline.ts';

interface CoursesProps {
  readonly messages: readonly Course[];
  readonly nameOf: (subscriptionId: string) => string;
}

/** The timeline in words: what the lanes draw, and the way to each message. */
export function Courses({ messages, nameOf }: CoursesProps) {
  return (
    <ul class="rows">
      {messages.map((course) => {
        const wait = waitOf(course, messages);
        return (
          <li key={course.message_id} class="row">
            <div class="row-head">
              <a class="row-name" href={hrefOf({ screen: 'message', id: course.message_id })}>
                {visible(course.event_type)}
              </a>
              <Badge tone={toneOf(course.state)} word={wordOf(course.state)} />
              {course.late && <span class="tag">{TEXT.message.late}</span>}
              <span class="soft">
                {TEXT.payment.to} <bdi>{nameOf(course.subscription_id)}</bdi>
              </span>
            </div>
            {wait && <InWords sentence={wait} />}
            <ol class="entries">
              {course.entries.map((entry) => (
                <li key={`${entry.kind} ${entry.at}`}>
                  <Moment at={entry.at} precision="millisecond" /> {wordsOf(entry)}
                </li>
              ))}
            </ol>
            {course.attempts_left_out !== undefined && (
              <p class="soft">{TEXT.payment.leftOut(course.attempts_left_out)}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf({
  kind,
  attempt = 1,
  status_code,
  failure_class,
  duration_ms = 0,
  until,
  at,
}: Entry): string {
  const waited = until === undefined ? '' : `, ${duration(Date.parse(until) - Date.parse(at))}`;
  if (kind !== 'attempted') return `${TEXT.entry[kind]}${waited}`;
  const answer =
    status_code === undefined ? TEXT.failureClass[failure_class ?? 'connect'] : String(status_code);
  return TEXT.payment.attempt(attempt, answer, duration(Math.round(duration_ms)));
}
