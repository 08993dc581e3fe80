import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SampleType } from '../../../cli/publisher/sample-payments.ts';
import type { ApiTokenStore } from '../../../functions/core/api/api-token-store.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';

/** The simulated receiver of a stage: each endpoint behaves as configured and records what it receives. */
export interface LabReceiver {
  callbackUrl(endpoint: string): string;
  /** @throws when the settings are invalid */
  behave(endpoint: string, settings: object): Promise<void>;
  /** A page of receipts with numbers above `after`, in order of arrival. */
  receipts(endpoint: string, after: number): Promise<readonly Receipt[]>;
  forget(endpoint: string): Promise<void>;
}

/** A stage, as a load run uses it. */
export interface LabStage {
  readonly name: string;
  readonly apiUrl: string;
  readonly busName: string;
  /** What can be sent. */
  readonly types: readonly SampleType[];
  readonly tokens: ApiTokenStore;
  readonly receiver: LabReceiver;
  /** URLs of the queues that should stay short. */
  readonly queues: Readonly<Record<'events' | 'deliveries', string>>;
  /** URL of the slow-store proxy, when the stage has one. */
  readonly slowStoreUrl?: string;
  /** Log of the empty pipeline. @default - the stage has none */
  readonly emptySink?: EmptySink;
  readonly sqs: SQSClient;
  readonly events: EventBridgeClient;
  /** Environment with which a process reaches the bus. */
  readonly environment: Readonly<Record<string, string>>;
  /** Description of the machine, for reports. */
  readonly machine: string;
  close(): Promise<void>;
}

/** Where the empty pipeline logs the latency of its events. */
export interface EmptySink {
  readonly logs: CloudWatchLogsClient;
  readonly logGroup: string;
}
