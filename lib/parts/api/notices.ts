import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  ASKED_PREFIX,
  signingSecretsTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import { OPERATIONAL_SOURCE } from '../../../functions/adapters/eventbridge/operational-bus.ts';
import { testNetworkVariables } from '../../../functions/adapters/http/test-network.ts';
import type { OperationalEventType } from '../../../functions/core/operational-events/operational-event.ts';
import type { NoticesEnv } from '../../../functions/notices/env.ts';
import { LINK_PATH } from '../../../functions/notices/link-path.ts';
import { itemsBeginningWith, itemsOf } from '../../constructs/data/table-conditions.ts';
import { linkRoute } from '../../constructs/functions/open-routes.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { Every } from '../../constructs/queues/every.ts';
import { feedFrom, KEPT, letRulesSend, visibilityOf } from '../../constructs/queues/queue-rules.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';
import type { Pipeline } from '../pipeline.ts';

interface NoticesProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
  readonly httpApi: HttpApi;
  /** Ends with a slash. */
  readonly apiUrl: string;
  readonly sender: string;
}

/** What brings a look forward, or leaves no trace in a subscription. */
const EVENTS = [
  'circuit.opened',
  'message.exhausted',
  'subscription.disabled',
] as const satisfies readonly OperationalEventType[];

const TIMEOUT = Duration.seconds(60);

/** Each sends one mail after the other: SES allows new accounts 14 a second. */
const MAX_WORKERS = 2;

const MAX_RECEIVE_COUNT = 5;

/** An address, maybe with a name before it: nothing that could be another header. */
const SENDER = /^(?:[\w .,'()-]+ <)?([\w.+-]{1,64}@([a-z0-9-]+(?:\.[a-z0-9-]+)+))>?$/i;

/** bus -> notices queue -> notices -> SES; and each few minutes a look at all subscriptions. */
export class Notices extends Construct {
  readonly notices: ServiceFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: NoticesProps) {
    super(scope, id);
    const { settings, data, pipeline, httpApi, apiUrl, sender } = props;
    this.notices = new ServiceFunction(this, 'Notices', {
      settings,
      name: 'notices',
      description: 'Tells partners by mail and webhook when an endpoint of theirs fails',
      timeout: TIMEOUT,
      memorySizeMiB: 512,
      environment: {
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
        SENDER: sender,
        API_URL: apiUrl,
        CALLBACK_URL_RULES: JSON.stringify(settings.callbackUrls),
        ...testNetworkVariables(settings.testNetwork),
      } satisfies NoticesEnv,
    });
    const { notices } = this;
    notices.allowTable(data.subscriptions, 'GetItem', 'Query');
    // It keeps books of its own, and changes nothing of a subscription.
    notices.allowTableIf(itemsOf(subscriptionsTable.notices), data.subscriptions, 'PutItem', 'DeleteItem');
    notices.allowTableIf(itemsBeginningWith(ASKED_PREFIX), data.subscriptions, 'UpdateItem');
    // The key of its links. It reads no secret of a subscription.
    const linkKey = itemsOf(signingSecretsTable.noticeLinks);
    notices.allowTableIf(linkKey, data.signingSecrets, 'GetItem', 'PutItem');
    data.allowSecretsKey(notices, 'writing');
    data.allowDataKey(notices, { tables: 'writing' });
    const [address, domain] = identitiesOf(sender);
    notices.allowIf(
      { StringEqualsIfExists: { 'ses:FromAddress': address } },
      ['ses:SendEmail'],
      ...[address, domain].map((resourceName) =>
        Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName }),
      ),
    );

    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    const queue = new Queue(this, 'Queue', {
      ...KEPT,
      visibilityTimeout: visibilityOf({ settings, workerTimeout: TIMEOUT }),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
    const rule = new Rule(this, 'Rule', {
      eventBus: pipeline.bus,
      description: 'Operational events of which partners are told, to a queue',
      eventPattern: { source: [OPERATIONAL_SOURCE], detailType: [...EVENTS] },
    });
    rule.addTarget({
      bind: () => ({ arn: queue.queueArn, input: RuleTargetInput.fromEventPath('$.detail') }),
    });
    rule.node.addDependency(letRulesSend(queue, pipeline.bus.eventBusName, 'RulesOfTheBus'));
    feedFrom(queue, notices, { by: MAX_WORKERS, workerTimeout: TIMEOUT });

    const interval = Duration.minutes(settings.emulated ? 1 : 5);
    new Every(this, 'Schedule', notices, {
      interval,
      when: `every ${interval.toHumanString()}`,
      staleAfter: interval,
    });
    linkRoute(httpApi, LINK_PATH, notices);
  }
}

/**
 * The address of a sender and its domain: SES has verified one of them.
 *
 * @throws when it is no sender
 */
function identitiesOf(sender: string): [string, string] {
  const [, address, domain] = SENDER.exec(sender) ?? [];
  if (address === undefined || domain === undefined || sender.includes('<') !== sender.endsWith('>')) {
    throw new Error(
      `notices.sender ${JSON.stringify(sender)} is no sender of mails: give an address such as webhooks@example.com, or a name and an address such as Bakery webhooks <webhooks@example.com>`,
    );
  }
  return [address, domain];
}
