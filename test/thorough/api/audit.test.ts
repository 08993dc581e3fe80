import { randomUUID } from 'node:crypto';
import { auditTrailTable } from '../../../functions/adapters/dynamodb/api/audit-table.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { auditPromises } from '../../unit/api/ports/audit-contract.ts';

const CALLBACK_URL = 'http://127.0.0.1:1/hooks';

describe('the audit trail in the deployed table', () => {
  auditPromises(
    () => auditTrailTable(stack.dynamodb, stack.outputs.tables.audit),
    () => [randomUUID(), randomUUID()],
  );
});

test("each change to a subscription is in its service's audit trail, with the token and the request, and in nobody else's", async () => {
  const service = await stack.newService();
  const other = await stack.newService();
  const startedAt = new Date().toISOString();
  const { id } = await service.subscribe(CALLBACK_URL);
  const paused = await service.call('POST', `/subscriptions/${id}/pause`);
  await service.call('POST', `/subscriptions/${id}/pause`);
  await other.call('POST', `/subscriptions/${id}/enable`);
  await service.call('DELETE', `/subscriptions/${id}`);

  const { status, body } = await service.call('GET', `/changes?subscription_id=${id}`);

  expect(status).toBe(200);
  expect(body.changes.map(({ operation }: { operation: string }) => operation)).toEqual([
    'deleteSubscription',
    'pauseSubscription',
    'createSubscription',
  ]);
  expect(body.changes[1]).toEqual({
    at: expect.any(String),
    request_id: paused.headers.get('x-request-id'),
    token_id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
    operation: 'pauseSubscription',
    subscription_id: id,
    changed: { state: { from: 'active', to: 'paused' } },
  });
  for (const { at } of body.changes) {
    expect(startedAt < at && at <= new Date().toISOString()).toBe(true);
  }
  expect(JSON.stringify(body)).not.toMatch(/whsec_|whsk_/);
  expect((await other.call('GET', `/changes?subscription_id=${id}`)).body).toEqual({ changes: [] });
});
