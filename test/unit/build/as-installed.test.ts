import { asInstalled } from '../../../build/as-installed.ts';

test.each([
  ['npm run ops -- doctor --stage dev', 'npx payhooks ops doctor --stage dev'],
  ['eval "$(npm run --silent ops -- outputs)"', 'eval "$(npx payhooks ops outputs)"'],
  ["script: 'npm run webhooks --',", "script: 'npx payhooks webhooks',"],
  ['npm run token -- create bakery', 'npx payhooks token create bakery'],
  ['npm run webhooks -- --help', 'npx payhooks webhooks --help'],
  ['Start it with: npm run local', 'Start it with: npx payhooks local'],
  ['with npm start, or', 'with npx payhooks local --demo, or'],
  ['npm run load -- compare', 'npm run load -- compare'],
  ['npm test', 'npm test'],
])('%j becomes %j', (text, expected) => {
  expect(asInstalled(text)).toBe(expected);
});
