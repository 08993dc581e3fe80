import type fc from 'fast-check';
import type { Described } from '../../../functions/api/operation.ts';
import { asksForStage, asStageSees, barrier, SERVICE_HEADER } from './access.ts';
import { checkAnswer, outcomeOf } from './check-answer.ts';
import { type Draw, paramsOf } from './draw.ts';
import type { Play, Sent, Where } from './play.ts';
import type { Answered, Outcome, Sending, Tested, World } from './world.ts';

/** One request of one of the services, or of those who run the stage, and what must come back. */
export class Turn implements fc.AsyncCommand<World, Tested> {
  private readonly operation: Described;
  private readonly play: Play;
  private readonly draw: Draw;

  constructor(operation: Described, play: Play, draw: Draw) {
    this.operation = operation;
    this.play = play;
    this.draw = draw;
  }

  check = (): boolean => true;

  async run({ services, stage }: World, tested: Tested): Promise<void> {
    const { operation, play, draw } = this;
    const [service, stranger] = draw.service === 0 ? services : [services[1], services[0]];
    const { params, subscription, message } = paramsOf(operation.path, draw, { service, stranger });
    const at: Where = { service, stranger, stage, tested, subscription, message };
    const { request, body, query } = this.request(at, params);
    const sent: Sent = { ...at, request, body, query };
    const expected = this.expected(sent);

    const answer = await tested.send(request);

    checkAnswer(operation, request, answer, sent);
    if (!expected.includes(outcomeOf(answer))) {
      const { body } = answer;
      throw new Error(`not ${expected.join(' or ')}: ${JSON.stringify({ id: operation.id, request, body })}`);
    }
    if (asksForStage(operation, request) && !operation.isOfStage) {
      await asTheService(sent, answer);
      return;
    }
    const isRepeat = answer.headers['idempotent-replayed'] !== undefined;
    if (answer.status < 300 && !isRepeat) {
      play.learn?.(sent, answer);
      const key = request.headers['idempotency-key'];
      if (this.isOnce && key !== undefined) {
        const { [play.once ?? '']: _, ...lasting } = answer.body;
        service.remembered.set(key, { request, answer: { ...answer, body: lasting } });
      }
    }
  }

  /** Whether the operation observes idempotency keys. */
  private get isOnce(): boolean {
    const { method, scope, isOfStage } = this.operation;
    return method === 'POST' && scope !== 'none' && !isOfStage;
  }

  private expected(sent: Sent): readonly Outcome[] {
    const { operation, play, draw } = this;
    const refusal = barrier(operation, sent.request, sent.stage) ?? draw.query.refusal ?? draw.body.refusal;
    if (refusal !== undefined) {
      return [refusal];
    }
    if (this.isOnce && draw.key === 'malformed') {
      return ['malformed-request'];
    }
    const key = sent.request.headers['idempotency-key'];
    // Repeats have a command of their own: a draw hardly ever makes the same request again.
    const before = this.isOnce && key !== undefined ? sent.service.remembered.get(key) : undefined;
    if (before !== undefined && !isSame(before.request, sent.request)) {
      return ['idempotency-key-reused'];
    }
    return before === undefined ? play.expects(sent) : [before.answer.status];
  }

  private request(at: Where, params: Readonly<Record<string, string>>) {
    const { operation, draw } = this;
    const value = operation.body === undefined ? undefined : draw.body.value(at);
    const text = typeof value === 'string' ? value : value === undefined ? undefined : JSON.stringify(value);
    const query = draw.query.value(at);
    const ifMatch = operation.isConditional ? ifMatchOf(draw.ifMatch, at) : undefined;
    const key = operation.method === 'POST' ? keyOf(draw.key, at) : undefined;
    const request: Sending = {
      service: draw.service,
      rights: draw.rights,
      method: operation.method,
      path: operation.path,
      params,
      query: new URLSearchParams(query).toString(),
      ...(text === undefined ? {} : { body: text }),
      headers: {
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(asksForStage(operation, draw) && draw.isNamed ? { [SERVICE_HEADER]: at.service.id } : {}),
      },
    };
    const isObject = typeof value === 'object' && value !== null;
    return { request, query, body: isObject ? (value as Record<string, unknown>) : {} };
  }

  toString(): string {
    const { service, rights, first, second, ifMatch, key } = this.draw;
    return `${this.operation.id}(${JSON.stringify({ service, rights, first, second, ifMatch, key })})`;
  }
}

/** Those who run the stage see what the service sees, but for what is private. */
async function asTheService({ tested, request }: Sent, { status, body }: Answered): Promise<void> {
  if (tested.isExact && status === 200) {
    const { [SERVICE_HEADER]: _, ...headers } = request.headers;
    const own = await tested.send({ ...request, headers, rights: 'all' });
    expect({ request, body }).toEqual({ request, body: asStageSees(own.body) });
  }
}

function isSame({ rights: _, ...one }: Sending, { rights: __, ...other }: Sending): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function ifMatchOf(how: Draw['ifMatch'], { subscription, stranger }: Where): string | undefined {
  const etags = subscription?.etags ?? stranger.subscriptions[0]?.etags ?? ['"1"'];
  const current = etags.at(-1) as string;
  switch (how) {
    case 'none':
      return undefined;
    case 'any':
      return '*';
    case 'current':
      return current;
    case 'stale':
      return etags.length > 1 ? (etags.at(-2) as string) : '"999999"';
    // As proxies that compress make it: it matches all the same.
    case 'weak':
      return `W/${current}`;
    case 'list':
      return `"a", "b"`;
    case 'malformed':
      return 'revision 1';
  }
}

function keyOf(how: Draw['key'], { service }: Where): string | undefined {
  switch (how) {
    case 'none':
      return undefined;
    // Both services choose the same keys.
    case 'new':
      return `key-${service.remembered.size}`;
    case 'used':
      return [...service.remembered.keys()].at(-1);
    case 'malformed':
      return 'x'.repeat(256);
  }
}
