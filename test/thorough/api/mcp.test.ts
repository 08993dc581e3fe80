import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { PROJECT } from '../../../lib/project-paths.ts';
import { happening } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

let client: Client | undefined;

afterEach(() => client?.close());

/** An agent whose host has started the command with a token of the service that may only read. */
async function agent(...args: string[]) {
  const { token } = await createToken(apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens), {
    serviceId: service.serviceId,
    description: 'agent',
    scopes: ['read'],
  });
  const connected = new Client({ name: 'test', version: '1' });
  client = connected;
  await connected.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['bin/cli.ts', 'mcp', ...args],
      cwd: PROJECT,
      env: { PAYHOOKS_API_URL: stack.outputs.apiUrl, PAYHOOKS_TOKEN: token },
    }),
  );
  return {
    tools: async () => (await connected.listTools()).tools.map(({ name }) => name),
    async call(name: string, args: Record<string, unknown>) {
      const { content, isError = false } = await connected.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      expect(text).not.toContain(token);
      return { isError, text, data: isError ? undefined : JSON.parse(text.split('\n').at(-1) ?? '') };
    },
  };
}

test('an agent with a token that may only read finds what was given up, and why; it can send nothing again', async () => {
  onArrival(() => ({ status: 400, headers: { 'webhook-delivery': 'abort-message' } }));
  const { id } = await service.subscribe(partner.url('shop'));
  await stack.publish(happening(service, { payment_id: 'pay-a' }));
  const [message] = await service.messages(
    id,
    (all) => all.length === 1 && all.every(({ state }) => state === 'exhausted'),
  );
  const messageId = String(message?.message_id);

  const reading = await agent();
  expect(await reading.tools()).not.toContain('resend_message');
  const undelivered = await reading.call('list_undelivered', {});
  expect(undelivered.text).toContain(`${id}: 1 given up.`);
  const timeline = await reading.call('show_payment', { payment_id: 'pay-a' });
  expect(timeline.text).toContain('✗ given up: aborted_by_receiver');
  const endpoint = await reading.call('explain_endpoint', { subscription_id: id });
  expect(endpoint.text).toContain('1 failed at their last attempt, 1 of them with 400.');
  expect(endpoint.data.subscription.callback_url).toEqual({ untrusted_text: partner.url('shop') });
  expect((await reading.call('search', { text: 'pay-a' })).data.messages).toMatchObject([
    { message_id: messageId },
  ]);
  expect((await reading.call('show_message', { message_id: messageId })).data).toMatchObject({
    state: 'exhausted',
    attempts: [{ status_code: 400 }],
  });
  expect(await reading.call('resend_message', { message_id: messageId })).toMatchObject({ isError: true });
  await client?.close();

  const writing = await agent('--allow-write');
  expect(await writing.tools()).toContain('resend_message');
  const refused = await writing.call('resend_message', { message_id: messageId });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('The token lacks the scope (403)');
  expect(partner.arrivals()).toHaveLength(1);
});
