import { stack } from '../../support/deployed/shared-stack.ts';

const docs = (file: string) => fetch(`${stack.outputs.apiUrl}/v1/docs/${file}`);

test('whoever has only the API can follow the links of the guides, without a token', async () => {
  const guides = await Promise.all(
    ['receiving.md', 'api.md'].map(async (guide) => {
      const answer = await docs(guide);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      return await answer.text();
    }),
  );
  const linked = guides
    .flatMap((text) => [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, target = '']) => target))
    .filter((target) => !target.startsWith('https:'));
  expect(linked).toEqual(expect.arrayContaining(['api.md', 'receiving.md', 'Order.java', '../openapi.json']));
  const answers = await Promise.all(
    [...new Set(linked)].map(async (file) => [file, (await docs(file)).status]),
  );
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
});

test('the guides are pages too, which lead to each other', async () => {
  const answer = await docs('receiving.html');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'sha256-");
  expect(await answer.text()).toContain('href="api.html#send-again"');
  expect((await docs('api.html')).status).toBe(200);
});

test('other pages are not there', async () => {
  expect((await docs('operations.md')).status).toBe(404);
});
