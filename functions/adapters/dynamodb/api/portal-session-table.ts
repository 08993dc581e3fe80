import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  isMakerGone,
  type PortalSession,
  portalSessionSchema,
} from '../../../core/api/portal/portal-session.ts';
import type { PortalSessionStore } from '../../../core/api/portal/portal-session-store.ts';
import { batchGet } from '../table-batch.ts';
import { apiTokensTable, PORTAL_PREFIX, portalSessionKey, portalSessionsOf } from '../table-keys.ts';
import { exchange, revoke } from './session-items.ts';

/** What the api may read of a token: see its grant. */
export const MAKER_ATTRIBUTES = [
  apiTokensTable.partitionKey,
  'revoked_at',
  'expires_at_epoch_seconds',
] as const;
const makerSchema = z.object({
  revoked_at: z.string().optional(),
  expires_at_epoch_seconds: z.number().optional(),
});

/** Sessions are items in the table of tokens, under keys of their own. */
export function portalSessionTable(client: DynamoDBClient, table: string): PortalSessionStore {
  const { partitionKey, byService } = apiTokensTable;
  const keyOf = (sessionId: string) => ({ [partitionKey]: portalSessionKey(sessionId) });

  const find: PortalSessionStore['find'] = async (sessionId) => {
    const { Item } = await client.send(
      // A link must work as soon as it is made, and a session end as soon as it is revoked.
      new GetItemCommand({ TableName: table, Key: marshall(keyOf(sessionId)), ConsistentRead: true }),
    );
    return Item === undefined ? undefined : sessionIn(unmarshall(Item));
  };

  const maker: PortalSessionStore['maker'] = async (hash) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshall({ [partitionKey]: hash }),
        ConsistentRead: true,
        ProjectionExpression: MAKER_ATTRIBUTES.join(', '),
      }),
    );
    return Item === undefined ? undefined : makerSchema.parse(unmarshall(Item));
  };

  const inIndex = (serviceId: string, since: string) => ({
    TableName: table,
    IndexName: byService,
    KeyConditionExpression: 'service_id = :service AND created_at >= :since',
    ExpressionAttributeValues: marshall({ ':service': portalSessionsOf(serviceId), ':since': since }),
    ScanIndexForward: false,
  });

  return {
    find,
    countedAs: portalSessionKey,
    maker,
    async add(session) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall(itemOf(session), { removeUndefinedValues: true }),
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': partitionKey },
        }),
      );
    },

    async exchange(sessionId, by, nowMs) {
      const session = await find(sessionId);
      const made = session?.made_by === undefined ? undefined : await maker(session.made_by.token_hash);
      if (session === undefined || isMakerGone(session, made, nowMs)) {
        return undefined;
      }
      const item = await exchange(client, table, keyOf(sessionId), by, nowMs);
      return item && sessionIn(item);
    },

    revoke: (sessionId, revokedAt) => revoke(client, table, keyOf(sessionId), revokedAt),

    async count(serviceId, since, max) {
      const { Count = 0 } = await client.send(
        new QueryCommand({ ...inIndex(serviceId, since), Select: 'COUNT', Limit: max }),
      );
      return Count;
    },

    async ofService(serviceId, since, max) {
      const { Items = [] } = await client.send(
        new QueryCommand({ ...inIndex(serviceId, since), Limit: max }),
      );
      const keys = Items.map((item) => ({ [partitionKey]: String(unmarshall(item)[partitionKey]) }));
      const found = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
      return found.map(sessionIn).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    },
  };
}

/** In the index by service, sessions must not be found among its tokens. */
function itemOf(session: PortalSession) {
  return {
    ...session,
    [apiTokensTable.partitionKey]: portalSessionKey(session.session_id),
    service_id: portalSessionsOf(session.service_id),
  };
}

function sessionIn(item: Readonly<Record<string, unknown>>): PortalSession {
  const serviceId = String(item.service_id).slice(PORTAL_PREFIX.length);
  return portalSessionSchema.parse({ ...item, service_id: serviceId });
}
