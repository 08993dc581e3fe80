const MILLION = 1_000_000;

const US_EAST_1 = {
  /** The month in which these were list prices. */
  asOf: '2026-11',
  region: 'us-east-1',
  /** Of each started 64 KB. */
  customEvent: 1 / MILLION,
  /** By EventBridge Scheduler. */
  scheduledRun: 1 / MILLION,
  /** By an API destination of EventBridge, which we do not use: what a peer takes. */
  apiDestinationCall: 0.2 / MILLION,
  fifoRequest: 0.5 / MILLION,
  standardRequest: 0.4 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  /** Of DynamoDB, its indexes included. */
  storedGigabyteMonth: 0.25,
  /** Point-in-time recovery: of a table as large as it is, without its global indexes. */
  recoveryGigabyteMonth: 0.2,
  logGigabyte: 0.5,
  /** As CloudWatch keeps it, compressed. */
  keptLogGigabyteMonth: 0.03,
  /** Of our own, the first 10,000. */
  metricMonth: 0.3,
  /** Of each metric that an alarm watches. */
  alarmMetricMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  /** Recorded by X-Ray. */
  trace: 5 / MILLION,
  /** Of a c7g.xlarge, on demand: 4 vCPU, 8 GiB, Linux. */
  instanceHour: 0.145,
  /** That Lambda takes for looking after it: 15 %. Source: "Lambda Managed Instances", AWS Lambda Developer Guide. */
  instanceManagementHour: 0.15 * 0.145,
  /** Before its first rotation. */
  keyMonth: 1,
  keyRequest: 0.03 / 10_000,
  /** Of an HTTP API, up to 300 million a month. */
  httpRequest: 1 / MILLION,
  /** To the internet, the first 10 TB. */
  sentGigabyte: 0.09,
  natHour: 0.045,
  /** In either direction. */
  natGigabyte: 0.045,
  /** A public IPv4 address. */
  addressHour: 0.005,
  s3Put: 5 / MILLION,
  /** Of S3 Standard, the first 50 TB. */
  s3GigabyteMonth: 0.023,
  /** Of files that Athena reads. */
  athenaTerabyte: 5,
  source:
    'the pricing pages of these services, https://aws.amazon.com/<service>/pricing/; API destinations by https://www.factualminds.com/blog/amazon-eventbridge-pricing-events-pipes-schema-archive/',
  /** Known, and not seen on a page or price list of the region. */
  unchecked: ['compositeAlarmMonth'],
} as const;

export type PriceName = Exclude<keyof typeof US_EAST_1, 'asOf' | 'region' | 'source' | 'unchecked'>;

/** List prices of a region in US dollars, without free tiers and discounts. */
export type Prices = Readonly<Record<PriceName, number>> & {
  readonly asOf: string;
  readonly region: string;
  readonly source: string;
  readonly unchecked: readonly PriceName[];
};

/**
 * By region. Elsewhere than in us-east-1 they are those of the AWS Price List, https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/<service>/current/<region>/index.json,
 * as others have copied it.
 */
export const PRICES_BY_REGION = {
  'us-east-1': US_EAST_1,
  'eu-west-1': {
    ...US_EAST_1,
    asOf: '2026-10',
    region: 'eu-west-1',
    writeUnit: 0.705 / MILLION,
    readUnit: 0.1415 / MILLION,
    storedGigabyteMonth: 0.283,
    recoveryGigabyteMonth: 0.22,
    logGigabyte: 0.57,
    httpRequest: 1.11 / MILLION,
    natHour: 0.048,
    natGigabyte: 0.048,
    // By the AWS Price List of 2026-10-08, as the price book of a public cost model has it.
    instanceHour: 0.155,
    instanceManagementHour: 0.15 * 0.155,
    source:
      'AWS Price List of 2026-09-11 to 2026-10-02, copied in https://github.com/henderjm/world-cup-sweepstake (docs/costs/aws-ireland-rates.json) and https://github.com/mamtha4u/SDLC (backend/config/pricing_eu-west-1.json)',
    unchecked: [
      'customEvent',
      'scheduledRun',
      'apiDestinationCall',
      'compositeAlarmMonth',
      'dashboardMonth',
      'trace',
      'keyMonth',
      'keyRequest',
      'athenaTerabyte',
    ],
  },
  'eu-west-2': {
    ...US_EAST_1,
    asOf: '2026-10',
    region: 'eu-west-2',
    scheduledRun: 1.15 / MILLION,
    writeUnit: 0.7423 / MILLION,
    readUnit: 0.1485 / MILLION,
    storedGigabyteMonth: 0.29715,
    recoveryGigabyteMonth: 0.2376,
    logGigabyte: 0.5985,
    keptLogGigabyteMonth: 0.0315,
    httpRequest: 1.16 / MILLION,
    natHour: 0.05,
    natGigabyte: 0.05,
    s3Put: 5.3 / MILLION,
    s3GigabyteMonth: 0.024,
    source:
      'AWS Price List of 2026-09-11 to 2026-10-04, copied on public pages; its DynamoDB was not among them',
    unchecked: [
      'customEvent',
      'apiDestinationCall',
      'writeUnit',
      'readUnit',
      'storedGigabyteMonth',
      'recoveryGigabyteMonth',
      'compositeAlarmMonth',
      'instanceHour',
      'instanceManagementHour',
      'dashboardMonth',
      'trace',
      'athenaTerabyte',
    ],
  },
} as const satisfies Readonly<Record<string, Prices>>;

/** Where a stage is reckoned as long as nobody says where it lives. */
export const USUAL_REGION = 'eu-west-1' satisfies keyof typeof PRICES_BY_REGION;

/** Those that reports, load runs and the dashboard tell. */
export const PRICES = PRICES_BY_REGION['us-east-1'];
