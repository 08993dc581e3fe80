const MILLION = 1_000_000;

const US_EAST_1 = {
  /** The month in which these were list prices. */
  asOf: '2026-11',
  region: 'us-east-1',
  /** Per started 64 KB. */
  customEvent: 1 / MILLION,
  /** A run of an EventBridge Scheduler schedule. */
  scheduledRun: 1 / MILLION,
  /** A call of an EventBridge API destination. We use none: this is for comparison. */
  apiDestinationCall: 0.2 / MILLION,
  fifoRequest: 0.5 / MILLION,
  standardRequest: 0.4 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  /**
   * A provisioned poller of SQS (`Event-Poller-Unit`), by AWS's price list of 2026-09-19 as a public page
   * copied it; AWS's own page has it in its example.
   */
  pollerHour: 0.00925,
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  /** DynamoDB storage, including indexes. */
  storedGigabyteMonth: 0.25,
  /** Point-in-time recovery, by the size of the table without its global indexes. */
  recoveryGigabyteMonth: 0.2,
  logGigabyte: 0.5,
  /** As CloudWatch stores it: compressed. */
  keptLogGigabyteMonth: 0.03,
  /** A custom metric, among the first 10,000. */
  metricMonth: 0.3,
  /** For each metric that an alarm watches. */
  alarmMetricMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  /** Recorded by X-Ray. */
  trace: 5 / MILLION,
  /** Before its first rotation. */
  keyMonth: 1,
  keyRequest: 0.03 / 10_000,
  /** A request to an HTTP API, among the first 300 million a month. */
  httpRequest: 1 / MILLION,
  /** Traffic to the internet, the first 10 TB. */
  sentGigabyte: 0.09,
  natHour: 0.045,
  /** In either direction. */
  natGigabyte: 0.045,
  /** A public IPv4 address. */
  addressHour: 0.005,
  s3Put: 5 / MILLION,
  /** S3 Standard, the first 50 TB. */
  s3GigabyteMonth: 0.023,
  /** Data that Athena scans. */
  athenaTerabyte: 5,
  source:
    'the pricing pages of these services, https://aws.amazon.com/<service>/pricing/; API destinations by https://www.factualminds.com/blog/amazon-eventbridge-pricing-events-pipes-schema-archive/',
  /** Prices that we know but could not verify on a pricing page or price list of the region. */
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
 * Prices by region. Outside us-east-1 they come from the AWS Price List,
 * https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/<service>/current/<region>/index.json, in copies by
 * others.
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
    source:
      'AWS Price List of 2026-09-11 to 2026-10-02, copied in https://github.com/henderjm/world-cup-sweepstake (docs/costs/aws-ireland-rates.json) and https://github.com/mamtha4u/SDLC (backend/config/pricing_eu-west-1.json)',
    unchecked: [
      'customEvent',
      'scheduledRun',
      'apiDestinationCall',
      'pollerHour',
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
      'pollerHour',
      'writeUnit',
      'readUnit',
      'storedGigabyteMonth',
      'recoveryGigabyteMonth',
      'compositeAlarmMonth',
      'dashboardMonth',
      'trace',
      'athenaTerabyte',
    ],
  },
} as const satisfies Readonly<Record<string, Prices>>;

/** The region for estimates of a stage that names none. */
export const USUAL_REGION = 'eu-west-1' satisfies keyof typeof PRICES_BY_REGION;

/** The prices that reports, load runs and the dashboard use. */
export const PRICES = PRICES_BY_REGION['us-east-1'];
