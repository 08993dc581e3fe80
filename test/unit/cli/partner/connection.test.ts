import { connectionOf } from '../../../../cli/partner/connection.ts';

test.each([
  'https://abc.example',
  'https://abc.example/',
  'https://abc.example/v1',
  ' https://abc.example/v1/ ',
])('%j leads to the API', async (url) => {
  expect(await connectionOf({ PAYHOOKS_API_URL: url, PAYHOOKS_TOKEN: 'phk_1\n' })).toMatchObject({
    apiUrl: 'https://abc.example',
    token: 'phk_1',
  });
});

test.each(['nonsense', '', 'localhost:4566', 'ftp://abc.example'])('%j is no URL of an API', async (url) => {
  await expect(connectionOf({ PAYHOOKS_API_URL: url, PAYHOOKS_TOKEN: 'phk_1' })).rejects.toThrow(
    `PAYHOOKS_API_URL must be a URL such as https://abc.execute-api.eu-west-1.amazonaws.com, not "${url}"`,
  );
});

test.each([
  ['', 'PAYHOOKS_TOKEN is empty.'],
  ['phk_ sesame', 'PAYHOOKS_TOKEN is not a token: it has spaces'],
])('the token %j is refused, and not repeated', async (token, sentence) => {
  const refused = connectionOf({ PAYHOOKS_API_URL: 'https://abc.example', PAYHOOKS_TOKEN: token });
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.not.toThrow('sesame');
});
