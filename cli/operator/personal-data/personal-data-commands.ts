import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, ON_STAGE, operatorCommand, SERVICE, type World } from '../operator-command.ts';
import { recordsIn } from '../redrive/redrive-queues.ts';
import { type Erasure, erasureOf } from './personal-data-erasure.ts';
import type { MessageOnRecord, PersonalData } from './personal-data-on-record.ts';
import {
  type DeadLetterCounts,
  type Erased,
  erasureJson,
  erasureText,
  exportDocument,
  type PaymentName,
} from './personal-data-report.ts';
import { personalDataTable } from './personal-data-table.ts';

/** Dead letters that carry bodies, by the name that redrive gives them; timers carry ids. */
const WITH_BODIES = {
  rule: 'RuleDeadLettersUrl',
  events: 'EventsDeadLettersUrl',
  deliveries: 'DeliveriesDeadLettersUrl',
} as const;

const PAYMENT = {
  service: SERVICE,
  payment: {
    check: paymentEventSchema.shape.payment_id,
    help: 'id of the payment, as payment events carry it in payment_id',
  },
} as const;

export const PERSONAL_DATA = [
  operatorCommand({
    name: 'personal-data export',
    summary: 'Print everything on record of a payment as one JSON document',
    arguments: PAYMENT,
    options: {
      out: {
        value: 'FILE',
        check: z.string().min(1, 'must be the name of a file'),
        help: 'write the document to a new file that only you can read',
      },
      ...ON_STAGE,
    },
    example: 'bakery pay_1 --out payment.json',
    async run(given, world) {
      const { found, deadLetters } = await onRecord(given, world);
      const document = exportDocument(given, found, deadLetters, instant(world.now()));
      const { out } = given;
      const text = JSON.stringify(document, undefined, given.json ? undefined : 2);
      if (out === undefined) {
        world.print(text, document);
        return true;
      }
      try {
        await writeFile(out, `${text}\n`, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        const { message } = error as Error;
        throw new ExplainedError(`--out: ${out} could not be written as a new file: ${message}`);
      }
      const held = found.held.waiting.length + found.held.left.length;
      const written = {
        out,
        messages: found.messages.length,
        resources: found.resources.length,
        held_events: held,
      };
      world.print(
        `${out}: ${written.messages} messages, ${written.resources} large resources and ${held} held events. It holds personal data: only you can read it.`,
        written,
      );
      return true;
    },
  }),
  operatorCommand({
    name: 'personal-data erase',
    summary: 'Erase the bodies of a payment, and what partners answered, for good',
    arguments: PAYMENT,
    options: {
      'ended-only': {
        help: 'erase although messages or events of the payment still wait; those stay as they are',
      },
      ...CHANGES_STAGE,
    },
    example: 'bakery pay_1 --stage dev --yes',
    remarks:
      'Ids, instants, states and status codes stay on record. What is erased can neither be read nor sent any more. Dead letters,\nrecords in flight and backups may hold bodies too: see docs/security.md. Exit code 1: something is left to be done.',
    async run(given, world) {
      const { access, data, found, deadLetters } = await onRecord(given, world);
      const erasure = erasureOf(found, world.now());
      const isWhole = [...erasure.waiting, ...erasure.held.waiting, ...erasure.fresh].length === 0;
      const isBlocked = !isWhole && !given['ended-only'];
      const erased =
        given.yes && !isBlocked
          ? await eraseOnRecord(given, erasure, { data, access, at: instant(world.now()) })
          : undefined;
      world.print(
        erasureText(given, erasure, erased, deadLetters, isBlocked),
        erasureJson(given, erasure, erased, deadLetters),
      );
      return isWhole && (erased === undefined || (erased.changed.length === 0 && erased.isLeftErased));
    },
  }),
];

/** @throws ExplainedError when nothing is on record */
async function onRecord({ stage, service, payment }: PaymentName, world: Pick<World, 'access'>) {
  const access = await world.access(stage);
  const data = personalDataTable(access.dynamodb, await access.tables());
  const found = await data.of(service, payment);
  const { sequence, waiting, left } = found.held;
  if (sequence === undefined && [...found.messages, ...waiting, ...left].length === 0) {
    throw new ExplainedError(
      `Nothing is on record of payment ${payment} of ${service} on ${stage}. What is still in a queue is not on record yet.`,
    );
  }
  return { access, data, found, deadLetters: await deadLetterCounts(access) };
}

/** The partner is told how many messages were erased: the audit trail outlives the history. */
async function eraseOnRecord(
  { service, payment, 'ended-only': endedOnly }: PaymentName & { readonly 'ended-only': boolean },
  erasure: Erasure,
  { data, access, at }: { data: PersonalData; access: StageAccess; at: string },
): Promise<Erased> {
  const deed = { command: 'personal-data erase', arguments: { service, payment, 'ended-only': endedOnly } };
  return recorded(await access.operators(), deed, async () => {
    const result = await eraseAll(data, erasure, at);
    const messages = result.messages.length;
    return {
      result,
      outcome: {
        messages,
        resources: result.resourceCount,
        held_events: result.isLeftErased ? erasure.held.left.length : 0,
        changed_meanwhile: result.changed.length,
      },
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

/** Messages first: a resource is erased only when no message of its event has come to need it meanwhile. */
async function eraseAll(
  data: PersonalData,
  { messages, resources, held }: Erasure,
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
    await data.eraseResource(resource, at);
  }
  return { messages: done, changed, resourceCount: going.length, isLeftErased: await data.eraseLeft(held) };
}

async function deadLetterCounts({ sqs, queueUrl }: StageAccess): Promise<DeadLetterCounts> {
  const counts: Record<string, number> = {};
  for (const [name, output] of Object.entries(WITH_BODIES)) {
    counts[name] = await recordsIn(sqs, await queueUrl(output));
  }
  return counts;
}
