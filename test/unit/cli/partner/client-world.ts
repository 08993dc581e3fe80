import pc from 'picocolors';
import { apiClient } from '../../../../cli/partner/api-client.ts';
import { WEBHOOKS } from '../../../../cli/partner/webhooks.ts';
import { runOf } from '../../../../cli/terminal/run-commands.ts';
import type { ApiPorts } from '../../../../functions/api/api-request.ts';
import { apiOver } from '../../api/builders.ts';

/** The command-line client over the HTTP API in memory. */
export function clientWorld(ports: Partial<ApiPorts> = {}) {
  const api = apiOver(ports);
  const requests: { method: string; path: string; headers: Record<string, string>; body?: unknown }[] = [];
  const send: typeof fetch = async (input, { method = 'GET', headers = {}, body } = {}) => {
    const url = new URL(String(input));
    const sent = { method, path: url.pathname, headers: headers as Record<string, string> };
    requests.push({ ...sent, ...(body ? { body: JSON.parse(String(body)) } : {}) });
    const answer = await api({
      ...sent,
      query: url.search.slice(1),
      requestId: `req_${requests.length}`,
      ...(body ? { body } : {}),
    });
    return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), {
      status: answer.status ?? 500,
      headers: answer.headers as Record<string, string>,
    });
  };
  const waits: number[] = [];
  let nowMs = 0;
  const wait = async (ms: number) => {
    waits.push(ms);
    nowMs += ms;
  };
  const connection = { apiUrl: 'https://api.example', token: 'phk_test' };
  return {
    requests,
    waits,
    api: apiClient(connection, { fetch: send, wait }),
    async run(...args: string[]) {
      let output = '';
      const print = (text: string) => {
        output += text;
      };
      const isWell = await runOf(WEBHOOKS, args, { print }, () => ({
        api: apiClient(connection, { fetch: send, wait }),
        lastWord: apiClient(connection, { fetch: send, wait }),
        forward: async () => ({ status: 200 }),
        apiUrl: connection.apiUrl,
        interrupted: new AbortController().signal,
        colors: pc.createColors(false),
        now: () => nowMs,
        wait,
      }));
      return { isWell, output };
    },
  };
}
