import { wantedTypes } from '../../../functions/adapters/dynamodb/subscriptions/wanted-types.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { deployedTypes } from '../../stage/deployed-types.ts';
import { ON_STAGE, operatorCommand } from '../operator-command.ts';
import { narrowedBy, narrowedText, typeLines, typesText } from './events-report.ts';
import { MAX_READ, messagesByType } from './stage-events.ts';

const HOURS = 24;

export function eventsCommand() {
  return operatorCommand({
    name: 'events',
    summary: 'List the event types of a stage, how often each came and who takes it',
    options: {
      against: {
        value: 'FOLDER',
        help: 'a folder of event types: whose subscriptions would match less with it; exit code 1 if any',
      },
      ...ON_STAGE,
    },
    example: '--stage dev --against events',
    remarks: `It counts messages in the history, accepted in the last ${HOURS} hours: one for each subscription that takes an event, at most the newest ${MAX_READ} of each subscription. Events that nobody takes are not on record: see the metric Event.unrouted.`,
    async run({ stage, against }, { access, print, now }) {
      const { dynamodb, ...of } = await access(stage);
      const tables = await of.tables();
      const [types, all] = await Promise.all([
        deployedTypes(await of.apiUrl()),
        wantedTypes(dynamodb, tables.subscriptions),
      ]);
      if (against !== undefined) {
        // It reads YAML, which no other command needs.
        const { EventCatalogue } = await import('../../../lib/events/event-catalogue.ts');
        const after = EventCatalogue.fromDirectory(against).types.map(({ name }) => name);
        const narrowed = narrowedBy(
          types.map(({ name }) => name),
          after,
          all,
        );
        print(narrowedText(narrowed, against), { narrowed });
        return narrowed.length === 0;
      }
      const since = instant(now() - HOURS * 3_600_000);
      const { messages, cut } = await messagesByType(dynamodb, tables.history, all, since);
      const lines = typeLines(types, all, messages);
      const more =
        cut.length === 0 ? '' : `\nMore than ${MAX_READ} messages, older ones not counted: ${cut.join(' ')}`;
      print(`Messages accepted since ${since}:\n${typesText(lines)}${more}`, { since, types: lines, cut });
      return true;
    },
  });
}
