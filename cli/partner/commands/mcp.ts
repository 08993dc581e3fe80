import { partnerCommand } from '../partner-command.ts';

export const mcp = partnerCommand({
  name: 'mcp',
  summary: 'Offer the API to an agent as tools of the Model Context Protocol, over stdin and stdout',
  example: '',
  options: {
    'allow-write': { help: 'offer resend_message, too; the token needs the scope write' },
  },
  remarks: `For the configuration of an agent: it starts the command, and ends it. A token of the scope read is enough.
What outsiders wrote (descriptions, bodies, answers) comes marked as untrusted_text.`,
  async run(given, { api, now, interrupted }) {
    // Only this command needs the SDK.
    const [{ StdioServerTransport }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('../mcp/mcp-server.ts'),
    ]);
    const server = mcpServer({ api, now }, { allowsWrite: given['allow-write'] });
    const closed = new Promise<void>((resolve) => {
      server.server.onclose = resolve;
    });
    const close = () => void server.close();
    process.stdin.once('end', close);
    interrupted.addEventListener('abort', close);
    await server.connect(new StdioServerTransport());
    await closed;
    return true;
  },
});
