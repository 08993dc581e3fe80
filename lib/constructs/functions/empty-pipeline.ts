import { Duration, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { EMPTY_SOURCE, EMPTY_TYPE } from '../../../functions/load-lab/empty-event.ts';
import type { RelayEnv } from '../../../functions/load-lab/relay/env.ts';
import type { Stage } from '../../stages.ts';
import { WORKER_SECONDS } from '../../worker-times.ts';
import { FifoWorkQueue } from '../queues/fifo-work-queue.ts';
import { ServiceFunction } from './service-function.ts';

interface EmptyPipelineProps {
  readonly stage: Stage;
  readonly busName: string;
}

/**
 * The way of a webhook with nothing on it: bus, FIFO queue, function, FIFO queue, function, with the queues and mappings of the real one. What an event
 * takes here a webhook cannot go below, on this stage or on this machine.
 */
export class EmptyPipeline extends Construct {
  readonly relay: ServiceFunction;
  readonly note: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, busName }: EmptyPipelineProps) {
    super(scope, id);
    // As match and deliver have.
    const times = {
      match: Duration.seconds(WORKER_SECONDS.match),
      deliver: Duration.seconds(WORKER_SECONDS.deliver),
    };
    const admitted = new FifoWorkQueue(this, 'Admitted', {
      stage,
      workerTimeout: times.match,
      contentBasedDeduplication: true,
    });
    const notes = new FifoWorkQueue(this, 'Notes', { stage, workerTimeout: times.deliver });

    this.relay = new ServiceFunction(this, 'Relay', {
      stage,
      name: 'load-relay',
      description: 'Sends empty events on, for load runs',
      timeout: times.match,
      memorySizeMiB: 512,
      environment: { NOTES_QUEUE_URL: notes.queue.queueUrl } satisfies RelayEnv,
    });
    admitted.feed(this.relay, stage.concurrency.match);
    this.relay.allow(['sqs:SendMessage'], notes.queue.queueArn);
    this.note = new ServiceFunction(this, 'Note', {
      stage,
      name: 'load-sink',
      description: 'Notes when empty events arrive, for load runs',
      timeout: times.deliver,
      // As deliver has.
      memorySizeMiB: 512,
      environment: {},
    });
    notes.feed(this.note, stage.concurrency.deliver);

    admitted.queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RuleOfEmptyEvents',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [admitted.queue.queueArn],
        conditions: {
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'events',
              resource: 'rule',
              resourceName: `${busName}/*`,
            }),
          },
        },
      }),
    );
    const rule = new CfnRule(this, 'Rule', {
      eventBusName: busName,
      description: 'Empty events of load runs',
      eventPattern: { source: [EMPTY_SOURCE], 'detail-type': [EMPTY_TYPE] },
      targets: [
        {
          id: 'Admitted',
          arn: admitted.queue.queueArn,
          inputPath: '$.detail',
          sqsParameters: { messageGroupId: 'empty' },
        },
      ],
    });
    rule.node.addDependency(admitted.queue.node.findChild('Policy'));
  }
}
