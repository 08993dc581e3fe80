const MILLION = 1_000_000;

/**
 * List prices of us-east-1 in US dollars, without free tiers and discounts, as of November 2026. Sources: the pricing pages of EventBridge, SQS,
 * Lambda, DynamoDB, CloudWatch, S3, Athena and EC2 (data transfer), https://aws.amazon.com/<service>/pricing/.
 */
export const PRICES = {
  asOf: '2026-11',
  region: 'us-east-1',
  customEvent: 1 / MILLION,
  fifoRequest: 0.5 / MILLION,
  standardRequest: 0.4 / MILLION,
  lambdaRequest: 0.2 / MILLION,
  /** arm64. */
  lambdaGbSecond: 0.0000133334,
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  logGigabyte: 0.5,
  /** Of DynamoDB, its indexes included. */
  storedGigabyteMonth: 0.25,
  /** To the internet. */
  sentGigabyte: 0.09,
  s3Put: 5 / MILLION,
  /** Of S3 Standard, the first 50 TB. */
  s3GigabyteMonth: 0.023,
  /** Of files that Athena reads. */
  athenaTerabyte: 5,
} as const;
