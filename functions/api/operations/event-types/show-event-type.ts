import { refusal } from '../../../core/api/answer.ts';
import { TYPE_NAME } from '../../../core/catalogue/event-type.ts';
import { eventTypeView, eventTypeViewSchema } from '../../../core/catalogue/event-type-view.ts';
import { describeOperation, operation } from '../../operation.ts';

export const showEventType = operation({
  id: 'showEventType',
  method: 'GET',
  path: '/v1/event-types/:event_type',
  scope: 'read',
  tag: 'Event types',
  summary: 'Retrieve an event type',
  async run({ params: { event_type: name = '' } }, { catalogue }) {
    const type = catalogue.types.find((one) => one.name === name);
    const which = TYPE_NAME.test(name) ? name : 'with that name';
    return type === undefined
      ? refusal('not-found', `There is no event type ${which}.`)
      : { status: 200, body: eventTypeView(type) };
  },
});

/* @__PURE__ */ describeOperation(
  showEventType,
  'Retrieves an event type, with the JSON Schema and a sample of its `resource`, if it has them.',
  () => ({ 200: { description: 'The event type.', schema: eventTypeViewSchema } }),
);
