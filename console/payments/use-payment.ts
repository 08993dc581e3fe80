import { useRef, useState } from 'preact/hooks';
import type { ApiClient } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import type { Answer } from '../api/queries.ts';
import { paymentPath, type Timeline } from './timeline.ts';

/** The timeline of a payment, with as many pages of messages as were asked for. */
export function usePayment(id: string, everyMs: number) {
  const wanted = useRef(1);
  const [pages, setPages] = useState(1);
  const live = useLive<Timeline>(paymentPath(id), everyMs, async (api, path, signal) => {
    const reading = wanted.current;
    const answer = await readPages(api, id, path, reading, signal);
    setPages(reading);
    return answer;
  });
  return {
    ...live,
    isReadingMore: pages < wanted.current,
    more() {
      wanted.current += 1;
      live.refresh();
    },
  };
}

async function readPages(
  api: ApiClient,
  id: string,
  path: string,
  pages: number,
  signal: AbortSignal,
): Promise<Answer<Timeline>> {
  const first = await api.request<Timeline>('GET', path, { signal });
  let { messages, next_cursor } = first.body;
  for (let page = 1; page < pages && next_cursor !== undefined; page += 1) {
    const { body } = await api.request<Timeline>('GET', paymentPath(id, next_cursor), { signal });
    messages = [...messages, ...body.messages];
    next_cursor = body.next_cursor;
  }
  const { next_cursor: _, ...payment } = first.body;
  return {
    etag: undefined,
    requests: pages,
    body: { ...payment, messages, ...(next_cursor === undefined ? {} : { next_cursor }) },
  };
}
