import { GOV_UK_PAY } from '../../gov-uk-pay.ts';
import type { Play } from '../play.ts';

const names = GOV_UK_PAY.types.map(({ name }) => name);

const listEventTypes: Play = {
  expects: () => [200],
  learn: (_, { body }) =>
    expect(body.event_types.map(({ event_type }: { event_type: string }) => event_type)).toEqual(names),
};

const showEventType: Play = {
  expects: ({ request }) => [names.includes(request.params.event_type ?? '') ? 200 : 'not-found'],
  learn: ({ request }, { body }) => expect(body.event_type).toBe(request.params.event_type),
};

export const EVENT_TYPE_PLAYS = { listEventTypes, showEventType };
