import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { ApiTokenStore } from '../../../functions/api/authorize/api-token-store.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { HistoryAt } from '../../cost/stored.ts';

/** The simulated receiver of a stage: each endpoint behaves as told and remembers what it was sent. */
export interface LabReceiver {
  callbackUrl(endpoint: string): string;
  /** @throws when the settings cannot be used */
  behave(endpoint: string, settings: object): Promise<void>;
  /** In order of arrival, those whose number is above; at most a page. */
  receipts(endpoint: string, after: number): Promise<readonly Receipt[]>;
  forget(endpoint: string): Promise<void>;
}

/** A stage as a load run reaches it. */
export interface LabStage {
  readonly name: string;
  readonly apiUrl: string;
  readonly busName: string;
  readonly tokens: ApiTokenStore;
  readonly receiver: LabReceiver;
  /** URLs of the queues that should stay short. */
  readonly queues: Readonly<Record<'events' | 'deliveries', string>>;
  /** Of the proxy that makes its store slow, where it has one. */
  readonly slowStoreUrl?: string;
  /** Its history, to see what is stored of a delivery. @default - it is not told */
  readonly history?: HistoryAt;
  /** Of its empty pipeline. @default - it has none */
  readonly emptyNotes?: EmptyNotes;
  readonly sqs: SQSClient;
  readonly events: EventBridgeClient;
  /** What a process needs to reach the same bus. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs, for people. */
  readonly machine: string;
  close(): Promise<void>;
}

/** Where a stage notes what an empty event has taken. */
export interface EmptyNotes {
  readonly logs: CloudWatchLogsClient;
  readonly logGroup: string;
}
