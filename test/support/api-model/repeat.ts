import type fc from 'fast-check';
import type { Operation } from '../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../functions/api/operations.ts';
import { checkAnswer, outcomeOf } from './check-answer.ts';
import type { Sending, Tested, World } from './world.ts';

/** Sends a request again under its idempotency key: the same one, or another. */
export class Repeat implements fc.AsyncCommand<World, Tested> {
  private readonly service: 0 | 1;
  private readonly pick: number;
  private readonly isOther: boolean;

  constructor(service: 0 | 1, pick: number, isOther: boolean) {
    this.service = service;
    this.pick = pick;
    this.isOther = isOther;
  }

  check = ({ services }: Readonly<World>): boolean => services[this.service].remembered.size > 0;

  async run({ services }: World, tested: Tested): Promise<void> {
    const [service, stranger] = this.service === 0 ? services : [services[1], services[0]];
    const all = [...service.remembered.values()];
    const { request, answer } = all[this.pick % all.length] as (typeof all)[number];
    const again = this.isOther ? other(request) : request;

    const second = await tested.send(again);

    if (this.isOther) {
      expect({ again, outcome: outcomeOf(second) }).toEqual({ again, outcome: 'idempotency-key-reused' });
    } else {
      expect({ again, status: second.status, body: second.body }).toEqual({
        again,
        status: answer.status,
        body: answer.body,
      });
      expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    }
    const isIt = ({ method, path }: Operation) => method === again.method && path === again.path;
    checkAnswer(OPERATIONS.find(isIt) as Operation, again, second, { service, stranger });
  }

  toString(): string {
    return `repeat(${this.service}, ${this.pick}, ${this.isOther ? 'another request' : 'the same'})`;
  }
}

/** A request that reads as well, with another condition. */
function other({ headers, ...request }: Sending): Sending {
  const { 'if-match': ifMatch, ...rest } = headers;
  return { ...request, headers: { ...rest, 'if-match': ifMatch === '*' ? '"7"' : '*' } };
}
