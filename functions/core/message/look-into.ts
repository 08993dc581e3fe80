import { refusedBy } from '../filter/evaluate.ts';
import { filteredEvent } from '../filter/filtered-event.ts';
import type { Pattern } from '../filter/pattern.ts';
import type { MessageRecord } from './history.ts';
import { type PastMessage, type PastPage, type Selection, wantedOf } from './recovery.ts';

/** A message with the JSON text of its resource. */
export interface Content {
  readonly record: MessageRecord;
  readonly resource: string;
}

/** What messages say, by their ids. Those of which nothing is left, or can be read, are absent. */
export type ReadContents = (messages: readonly PastMessage[]) => Promise<ReadonlyMap<string, Content>>;

/** A call of DynamoDB reads as many: some tenths of a megabyte, 16 at worst. */
const READ_AT_ONCE = 100;

/** In one step, or for one request: a second at worst. */
export const MAX_READ = 500;

/**
 * Which messages of a page are wanted, and how far it was looked into: as far as it goes, unless there is a
 * filter. That has to read what messages say, and stops after `MAX_READ` of them or as soon as `enough` are
 * wanted: whole instants, and at least one.
 *
 * @returns the page as far as it was looked into, and how many messages were read
 */
export async function lookInto(
  selection: Selection,
  page: PastPage,
  enough: number,
  contents: ReadContents,
): Promise<{ readonly page: PastPage; readonly wanted: readonly PastMessage[]; readonly read: number }> {
  const candidates = wantedOf(selection, page);
  if (selection.filter === undefined) {
    return { page, wanted: candidates, read: 0 };
  }
  const filter = JSON.parse(selection.filter) as Pattern;
  const wanted: PastMessage[] = [];
  for (let read = 0; read < candidates.length; read += READ_AT_ONCE) {
    const some = candidates.slice(read, read + READ_AT_ONCE);
    const continueAt = (some[0] as PastMessage).admitted_at;
    const isEnough = read >= MAX_READ || wanted.length >= enough;
    if (isEnough && continueAt !== page.messages[0]?.admitted_at) {
      const isBefore = ({ admitted_at }: PastMessage) => admitted_at < continueAt;
      return {
        page: { messages: page.messages.filter(isBefore), continueAt },
        wanted: wanted.filter(isBefore),
        read,
      };
    }
    const said = await contents(some);
    wanted.push(...some.filter(({ message_id }) => takes(filter, said.get(message_id))));
  }
  return { page, wanted, read: candidates.length };
}

function takes(filter: Pattern, content: Content | undefined): boolean {
  return (
    content !== undefined && refusedBy(filter, filteredEvent(content.record, content.resource)) === undefined
  );
}
