import { writeFile } from 'node:fs/promises';
import { instant } from '../../../functions/core/text/instant.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { deadLetterQueue } from '../redrive/dead-letter-queues.ts';
import { redriveQueues } from '../redrive/redrive-queues.ts';
import { recorded } from '../trail/operators-trail.ts';
import { type Erasure, erasureOf } from './personal-data-erasure.ts';
import type { MessageOnRecord, PaymentOnRecord, PersonalData } from './personal-data-on-record.ts';
import {
  PERSONAL_DATA_HELP,
  type PersonalDataOptions,
  personalDataOptions,
} from './personal-data-options.ts';
import {
  type DeadLetterCounts,
  type Erased,
  erasureJson,
  erasureText,
  exportDocument,
} from './personal-data-report.ts';
import { personalDataTable } from './personal-data-table.ts';

/** Those whose records carry bodies; timers carry ids. */
const QUEUES_WITH_BODIES = ['rule', 'events', 'deliveries'];

/**
 * @param now in ms since 1970
 * @returns whether all is well: nothing is left to be erased, or would be
 * @throws ExplainedError when nothing is on record, or what was asked for does not make sense
 */
export async function personalDataCommand(
  args: string[],
  { access, print }: Pick<Surroundings, 'access' | 'print'>,
  now: () => number = Date.now,
): Promise<boolean> {
  const options = personalDataOptions(args);
  if (options === 'help') {
    print(PERSONAL_DATA_HELP);
    return true;
  }
  const { stage, service, payment } = options;
  const reached = await access(stage);
  const data = personalDataTable(reached.dynamodb, (await reached.tables()).history);
  const found = await data.of(service, payment);
  if (found.messages.length === 0) {
    throw new ExplainedError(
      `Nothing is on record of payment ${payment} of ${service} on ${stage}. What is still in a queue is not on record yet.`,
    );
  }
  const deadLetters = await deadLetterCounts(reached);
  return options.command === 'export'
    ? exportPayment(options, found, deadLetters, { print, now })
    : erase(options, found, deadLetters, { print, now, data, access: reached });
}

interface Hands {
  print(text: string): void;
  now(): number;
}

async function exportPayment(
  options: PersonalDataOptions,
  found: PaymentOnRecord,
  deadLetters: DeadLetterCounts,
  { print, now }: Hands,
): Promise<boolean> {
  const document = exportDocument(options, found, deadLetters, instant(now()));
  const text = `${JSON.stringify(document, undefined, options.json ? undefined : 2)}\n`;
  const { out } = options;
  if (out === undefined) {
    print(text);
    return true;
  }
  try {
    await writeFile(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { message } = error as Error;
    throw new ExplainedError(`--out: ${out} could not be written as a new file: ${message}`);
  }
  const written = { out, messages: found.messages.length, resources: found.resources.length };
  print(
    options.json
      ? `${JSON.stringify(written)}\n`
      : `${out}: ${written.messages} messages and ${written.resources} large resources. It holds personal data: only you can read it.\n`,
  );
  return true;
}

async function erase(
  options: PersonalDataOptions,
  found: PaymentOnRecord,
  deadLetters: DeadLetterCounts,
  { print, now, data, access }: Hands & { data: PersonalData; access: StageAccess },
): Promise<boolean> {
  const erasure = erasureOf(found, now());
  const isWhole = erasure.waiting.length === 0 && erasure.fresh.length === 0;
  const isBlocked = !isWhole && !options['ended-only'];
  const erased =
    options.yes && !isBlocked
      ? await eraseOnRecord(options, erasure, { data, access, at: instant(now()) })
      : undefined;
  print(
    options.json
      ? `${JSON.stringify(erasureJson(options, erasure, erased, deadLetters))}\n`
      : `${erasureText(options, erasure, erased, deadLetters, isBlocked)}\n`,
  );
  return isWhole && (erased?.changed ?? []).length === 0;
}

/** What was erased is told to the partner by its number: the trail outlives the history. */
async function eraseOnRecord(
  { service, payment, 'ended-only': endedOnly }: PersonalDataOptions,
  erasure: Erasure,
  { data, access, at }: { data: PersonalData; access: StageAccess; at: string },
): Promise<Erased> {
  const deed = { command: 'personal-data erase', arguments: { service, payment, 'ended-only': endedOnly } };
  return recorded(await access.operators(), deed, async () => {
    const result = await eraseAll(data, service, erasure, at);
    const messages = result.messages.length;
    return {
      result,
      outcome: { messages, resources: result.resourceCount, changed_meanwhile: result.changed.length },
      changes: [
        {
          service_id: service,
          operation: 'erasePersonalData',
          changed: { erased_messages: { to: messages } },
        },
      ],
    };
  });
}

/** Messages first: a resource goes only when none of its event's messages has come to need it meanwhile. */
async function eraseAll(
  data: PersonalData,
  serviceId: string,
  { messages, resources }: Erasure,
  at: string,
): Promise<Erased> {
  const done: MessageOnRecord[] = [];
  const changed: MessageOnRecord[] = [];
  for (const message of messages) {
    ((await data.eraseMessage(message, at)) ? done : changed).push(message);
  }
  const needed = new Set(changed.map(({ known }) => known.event_id));
  const going = resources.filter(({ event_id }) => !needed.has(event_id));
  for (const resource of going) {
    await data.eraseResource(serviceId, resource, at);
  }
  return { messages: done, changed, resourceCount: going.length };
}

async function deadLetterCounts({ sqs, deadLetterUrls }: StageAccess): Promise<DeadLetterCounts> {
  const counts: Record<string, number> = {};
  for (const name of QUEUES_WITH_BODIES) {
    const queue = deadLetterQueue(name);
    if (queue !== undefined) {
      counts[name] = await redriveQueues(sqs, await deadLetterUrls(queue)).count();
    }
  }
  return counts;
}
