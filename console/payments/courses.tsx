import { useState } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import { toneOf, wordOf } from '../messages/message-state.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { counted } from '../words/numbers.ts';
import { duration } from '../words/time.ts';
import { visible } from '../words/visible.ts';
import { bySubscription, type Course, type Entry, waitOf } from './timeline.ts';

interface CoursesProps {
  readonly messages: readonly Course[];
  readonly nameOf: (subscriptionId: string) => string;
}

/** The timeline in words: what the lanes draw, and the way to each message. What was delivered is folded. */
export function Courses({ messages, nameOf }: CoursesProps) {
  return (
    <>
      {bySubscription(messages).map(([subscriptionId, courses]) => (
        <section key={subscriptionId}>
          <h2>
            <bdi>{nameOf(subscriptionId)}</bdi>
          </h2>
          <ul class="rows">
            {courses.map((course) => (
              <OneCourse key={course.message_id} course={course} messages={messages} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function OneCourse({ course, messages }: Pick<CoursesProps, 'messages'> & { readonly course: Course }) {
  // What is delivered while somebody looks stays unfolded.
  const [isUnfolded] = useState(course.state !== 'succeeded');
  const wait = waitOf(course, messages);
  const [first, last] = [course.entries[0], course.entries.at(-1)];
  const took = first && last ? `, ${duration(Date.parse(last.at) - Date.parse(first.at))}` : '';
  return (
    <li class="row">
      <div class="row-head">
        <a class="row-name" href={hrefOf({ screen: 'message', id: course.message_id })}>
          {visible(course.event_type)}
        </a>
        <Badge tone={toneOf(course.state)} word={wordOf(course.state)} />
        {course.late && <span class="tag">{TEXT.message.late}</span>}
      </div>
      {wait && <InWords sentence={wait} />}
      <details open={isUnfolded}>
        <summary>{`${counted(course.attempt_count, 'attempt')}${took}`}</summary>
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
      </details>
    </li>
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
