import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { OPERATIONAL_SOURCE } from '../../functions/adapters/eventbridge/operational-bus.ts';

/** Lets a function publish operational events, but never a payment event. */
export function grantOperationalEvents(bus: IEventBus, grantee: IGrantable): void {
  Grant.addToPrincipal({
    grantee,
    actions: ['events:PutEvents'],
    resourceArns: [bus.eventBusArn],
    // A call holds several entries, so the condition key has several values.
    conditions: { 'ForAllValues:StringEquals': { 'events:source': OPERATIONAL_SOURCE } },
  });
}
