import { asInstalled } from '../../../build/as-installed.ts';
import { FUNCTION_NAMES } from '../../../lib/bundling/function-folders.ts';
import { packageFaults } from '../../support/release/package-faults.ts';

const WHOLE = [
  ...['package.json', 'README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENCES.txt'],
  ...['dist/index.js', 'dist/types/lib/index.d.ts', 'dist/payhooks.js', 'dist/worker-runtime.mjs'],
  ...['dist/console.json', 'local/emulator/launcher.py', 'local/emulator/requirements.txt'],
  ...FUNCTION_NAMES.map((name) => `dist/functions/${name}/index.mjs`),
];

function faultsOf(names: readonly string[], size = 3_000_000) {
  const files = names.map((path) => ({ path }));
  return packageFaults({ filename: 'payhooks-1.0.0.tgz', size, unpackedSize: 9_000_000, files });
}

test('a whole package has no faults', () => {
  expect(faultsOf(WHOLE)).toEqual([]);
});

test.each([
  'test/unit/some.test.ts',
  'lib/payhooks.ts',
  'dist/index.js.map',
  'local/emulator/__pycache__/launcher.pyc',
  'certificates/server.key',
  '.local/outputs.json',
  'dist/.env',
])('%s must not be in it', (name) => {
  expect(faultsOf([...WHOLE, name])).toEqual([`${name} must not be in it`]);
});

test('a missing function and too many bytes are faults', () => {
  const without = WHOLE.filter((name) => name !== 'dist/functions/match/index.mjs');
  expect(faultsOf(without, 4_000_001)).toEqual([
    'dist/functions/match/index.mjs is missing',
    'it has 4000001 bytes, of 4000000 at most',
  ]);
});

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
