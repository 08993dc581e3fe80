import { Duration } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type DomainName,
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { apiTokensTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import type { AuthorizeEnv } from '../../functions/api/authorize/env.ts';
import { ANY_FILE } from '../../functions/api/docs-page/docs-page.ts';
import { CONSOLE_PATH, GUIDE_FOLDER, OPENAPI_PATH } from '../../functions/api/docs-page/page-files.ts';
import { exchangePortalSession } from '../../functions/api/operations/portal/exchange-portal-session.ts';
import { exchangeStageSession } from '../../functions/api/operations/stage/exchange-stage-session.ts';
import { showKeySet } from '../../functions/api/operations/subscriptions/show-key-set.ts';
import type { StageRights } from '../../functions/core/api/stage/stage-rights.ts';
import type { CallbackUrlRules } from '../../functions/core/subscription/callback-url.ts';
import { checkedConsole } from '../bundling/console-settings.ts';
import { writesOnly } from '../constructs/data/table-conditions.ts';
import { GradualRollout } from '../constructs/functions/gradual-rollout.ts';
import {
  codeRoute,
  openDefaultRoute,
  openRoutes,
  publicRoute,
  routed,
  throttleRoutes,
} from '../constructs/functions/open-routes.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { KeptSecrets } from '../constructs/kept-secrets.ts';
import { apiRolloutAlarms } from '../observability/rollout-alarms.ts';
import type { Settings } from '../settings.ts';
import { declaredSubscriptionsFunction } from './api/declared-subscriptions.ts';
import { doctorFunction, receiverUrlOf, syntheticReceiverFunction } from './api/doctor.ts';
import { feedFunction } from './api/feed.ts';
import { Notices } from './api/notices.ts';
import { ownDomain } from './api/own-domain.ts';
import { partnerApiFunction } from './api/partner-api.ts';
import { stageApiFunction, stageLinkFunction } from './api/stage-api.ts';
import type { Data } from './data.ts';
import type { Pipeline } from './pipeline.ts';

interface ApiProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
  /** Undefined where there is no archive. */
  readonly archiveDeadLetters: Queue | undefined;
}

/** The attributes of a token's item that counting a request uses. */
const COUNTED_ATTRIBUTES = [
  apiTokensTable.partitionKey,
  'window_started_at',
  'window_requests',
  'last_used_at',
];

/**
 * Requests without a token to a route, per second: a flood of them takes nothing from those with one. Far more
 * than people open links, or receivers, who keep the key set for an hour, fetch it.
 */
const OPEN_THROTTLE = { rateLimit: 20, burstLimit: 40 };

/** More specific than the route of the api for partners. */
const STAGE_ROUTE = '/v1/stage/{proxy+}';

/** More specific than the route of the api for partners, too. */
const FEED_ROUTES = [
  '/v1/subscriptions/{subscription_id}/feed',
  '/v1/subscriptions/{subscription_id}/feed/{proxy+}',
];

/** The HTTP API with which partners manage their webhooks, and the doctor, whose webhooks it receives. */
export class Api extends Construct {
  readonly api: ServiceFunction;
  readonly authorize: ServiceFunction;
  readonly docsPage: ServiceFunction;
  readonly feed: ServiceFunction;
  readonly stageApi: ServiceFunction;
  readonly doctor: ServiceFunction;
  /** By what the links that they make allow. */
  readonly stageLinks: Readonly<Record<StageRights, ServiceFunction>>;
  readonly httpApi: HttpApi;
  readonly accessLogs: LogGroup;
  /** Ends with a slash. */
  readonly url: string;
  /** Undefined where the API has its own address only. */
  readonly domain: DomainName | undefined;
  readonly syntheticReceiverUrl: string;
  /** Undefined where nobody is told. */
  readonly notices: Notices | undefined;
  /** Where webhooks may go. */
  readonly callbackUrls: CallbackUrlRules;
  readonly #settings: Settings;
  #declaredSubscriptions: ServiceFunction | undefined;
  #keptSecrets: KeptSecrets | undefined;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const { settings, data } = props;
    this.#settings = settings;
    this.callbackUrls = settings.callbackUrls;
    checkedConsole(settings.console);

    this.authorize = new ServiceFunction(this, 'Authorize', {
      settings,
      name: 'authorize',
      description: 'Resolves a bearer token to its service',
      timeout: Duration.seconds(10),
      memorySizeMiB: 512,
      environment: { API_TOKENS_TABLE: data.apiTokens.tableName } satisfies AuthorizeEnv,
    });
    this.authorize.allowTable(data.apiTokens, 'GetItem');
    // It counts requests. It cannot change a token's scopes or expiry.
    this.authorize.allowTableIf(writesOnly(...COUNTED_ATTRIBUTES), data.apiTokens, 'UpdateItem');

    this.api = partnerApiFunction(this, props);
    this.httpApi = new HttpApi(this, 'HttpApi', {
      apiName: `payhooks-${settings.name}`,
      createDefaultStage: false,
      // Whoever has an address of their own may have rules there, which this one would get around.
      ...(settings.domain === undefined ? {} : { disableExecuteApiEndpoint: true }),
    });
    const integration = routed('ApiIntegration', this.api.live);
    const authorizer = new HttpLambdaAuthorizer('Tokens', this.authorize.live, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      // The api itself answers 401, with a problem document; see functions/api/authorize.
      identitySource: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    const methods = [HttpMethod.ANY];
    this.httpApi.addRoutes({ path: '/v1/{proxy+}', methods, integration, authorizer });
    this.feed = feedFunction(this, props);
    // Without a canary, and so without a version of their own: two resources less for each.
    const feedIntegration = routed('FeedIntegration', this.feed);
    for (const path of FEED_ROUTES) {
      this.httpApi.addRoutes({ path, methods, integration: feedIntegration, authorizer });
    }
    const open = [
      codeRoute(this.httpApi, exchangePortalSession.path, integration),
      publicRoute(this.httpApi, showKeySet.path, integration),
    ];
    this.stageApi = stageApiFunction(this, props);
    const stageIntegration = routed('StageApiIntegration', this.stageApi);
    this.httpApi.addRoutes({ path: STAGE_ROUTE, methods, integration: stageIntegration, authorizer });
    open.push(codeRoute(this.httpApi, exchangeStageSession.path, stageIntegration));
    this.stageLinks = {
      'on-call': stageLinkFunction(this, 'OnCallLink', 'on-call', props),
      analyst: stageLinkFunction(this, 'AnalystLink', 'analyst', props),
    };
    this.docsPage = new ServiceFunction(this, 'DocsPage', {
      settings,
      name: 'docs-page',
      description: 'Serves the console and the documentation of the HTTP API',
      timeout: Duration.seconds(10),
      memorySizeMiB: 512,
      environment: {},
    });
    const guides = `${GUIDE_FOLDER}/${ANY_FILE}`;
    openRoutes(this.httpApi, this.docsPage, OPENAPI_PATH, GUIDE_FOLDER, CONSOLE_PATH, guides);
    openDefaultRoute(this.httpApi, this.docsPage);
    syntheticReceiverFunction(this, settings, this.httpApi);
    this.accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: settings.logRetention,
    });
    this.domain = settings.domain && ownDomain(this, settings.domain);
    const httpStage = new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      ...(this.domain === undefined ? {} : { domainMapping: { domainName: this.domain } }),
      throttle: { rateLimit: 200, burstLimit: 400 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLogs),
        format: AccessLogFormat.custom(
          JSON.stringify({
            request_id: '$context.requestId',
            ip: '$context.identity.sourceIp',
            time: '$context.requestTime',
            method: '$context.httpMethod',
            path: '$context.path',
            status: '$context.status',
            response_bytes: '$context.responseLength',
            latency_ms: '$context.responseLatency',
            service_id: '$context.authorizer.service_id',
            token_id: '$context.authorizer.token_id',
            refusal: '$context.authorizer.refusal',
          }),
        ),
      },
    });
    throttleRoutes(httpStage, open, OPEN_THROTTLE);
    this.url = settings.domain === undefined ? httpStage.url : `https://${settings.domain.domainName}/`;
    this.syntheticReceiverUrl = receiverUrlOf(this, this.url);
    const { httpApi, url: apiUrl } = this;
    this.notices =
      settings.notices &&
      new Notices(this, 'Notices', { ...props, httpApi, apiUrl, sender: settings.notices.sender });
    this.doctor = doctorFunction(this, this.syntheticReceiverUrl, props);

    if (settings.rollout === 'canary' && !settings.emulated) {
      new GradualRollout(this, 'Rollout', {
        functions: [this.authorize, this.api, this.docsPage],
        alarms: apiRolloutAlarms(this, settings),
        name: `payhooks-${settings.name}-api`,
      });
    }
  }

  /** Only made for who declares one. */
  get declaredSubscriptions(): ServiceFunction {
    this.#declaredSubscriptions ??= declaredSubscriptionsFunction(this, this.#settings, this.api);
    return this.#declaredSubscriptions;
  }

  /** The secrets of what is declared. */
  get keptSecrets(): KeptSecrets {
    this.#keptSecrets ??= new KeptSecrets(this.declaredSubscriptions.role!);
    return this.#keptSecrets;
  }
}
