import { Duration } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { EMPTY_SOURCE, EMPTY_TYPE } from '../../../functions/load-lab/empty-event.ts';
import type { RelayEnv } from '../../../functions/load-lab/relay/env.ts';
import { readBy } from '../../pollers.ts';
import type { Settings } from '../../settings.ts';
import { WORKER_SECONDS } from '../../worker-times.ts';
import { FifoWorkQueue } from '../queues/fifo-work-queue.ts';
import { letRulesSend } from '../queues/queue-rules.ts';
import { ServiceFunction } from './service-function.ts';

interface EmptyPipelineProps {
  readonly settings: Settings;
  readonly busName: string;
}

/**
 * The pipeline without its work: bus, FIFO queue, function, FIFO queue, function, with the same queue and
 * mapping settings as the real one. The latency of an empty event is the floor for webhooks on this stage and
 * machine.
 */
export class EmptyPipeline extends Construct {
  readonly relay: ServiceFunction;
  readonly sink: ServiceFunction;

  constructor(scope: Construct, id: string, { settings, busName }: EmptyPipelineProps) {
    super(scope, id);
    // The same as match and deliver.
    const times = {
      match: Duration.seconds(WORKER_SECONDS.match),
      deliver: Duration.seconds(WORKER_SECONDS.deliver),
    };
    const admitted = new FifoWorkQueue(this, 'Events', {
      settings,
      workerTimeout: times.match,
      contentBasedDeduplication: true,
    });
    const relayed = new FifoWorkQueue(this, 'Relayed', { settings, workerTimeout: times.deliver });

    this.relay = new ServiceFunction(this, 'Relay', {
      settings,
      name: 'load-relay',
      description: 'Forwards empty events, for load runs',
      timeout: times.match,
      memorySizeMiB: 512,
      environment: { RELAYED_QUEUE_URL: relayed.queue.queueUrl } satisfies RelayEnv,
    });
    admitted.feed(this.relay, readBy(settings, 'match'));
    this.relay.allow(['sqs:SendMessage'], relayed.queue.queueArn);
    this.sink = new ServiceFunction(this, 'Sink', {
      settings,
      name: 'load-sink',
      description: 'Logs when empty events arrive, for load runs',
      timeout: times.deliver,
      // The same as deliver.
      memorySizeMiB: 512,
      environment: {},
    });
    relayed.feed(this.sink, readBy(settings, 'deliver'));

    const policy = letRulesSend(admitted.queue, busName, 'RuleOfEmptyEvents');
    const rule = new CfnRule(this, 'Rule', {
      eventBusName: busName,
      description: 'Empty events of load runs',
      eventPattern: { source: [EMPTY_SOURCE], 'detail-type': [EMPTY_TYPE] },
      targets: [
        {
          id: 'Events',
          arn: admitted.queue.queueArn,
          inputPath: '$.detail',
          sqsParameters: { messageGroupId: 'empty' },
        },
      ],
    });
    rule.node.addDependency(policy);
  }
}
