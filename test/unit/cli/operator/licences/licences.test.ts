import { isAllowed } from '../../../../../cli/operator/licences/licences.ts';
import { npmDependencies } from '../../../../../cli/operator/licences/npm-dependencies.ts';
import { licenceIn, pinnedIn } from '../../../../../cli/operator/licences/python-dependencies.ts';

const npm = npmDependencies();

test('every npm package has a licence that its use allows', () => {
  expect(npm.length).toBeGreaterThan(800);
  expect(npm.filter((dependency) => !isAllowed(dependency))).toEqual([]);
});

test('what functions import may be deployed, and what builds them may not', () => {
  const deployed = npm.filter(({ deployed }) => deployed).map(({ name }) => name);
  expect(deployed).toEqual(expect.arrayContaining(['undici', '@aws-sdk/client-sqs', 'swagger-ui-dist']));
  expect(deployed).not.toContain('esbuild');
});

test.each([
  ['MIT', true, true],
  ['(MIT OR GPL-3.0-or-later)', true, true],
  ['Apache-2.0 AND MIT', true, true],
  ['MPL-2.0', false, true],
  ['MIT AND MPL-2.0', false, true],
  ['LicenseRef-DynamoDB-Local', false, true],
  ['Apache Software License, MIT License', false, true],
  ['GPL-3.0-or-later', false, false],
  ['MIT AND GPL-3.0-or-later', false, false],
  ['(MIT OR GPL-2.0) AND (MIT OR GPL-3.0)', false, false],
  ['unknown', false, false],
])('%s: deployed %s, as a tool %s', (licence, deployed, tool) => {
  expect(isAllowed({ licence, deployed: true })).toBe(deployed);
  expect(isAllowed({ licence, deployed: false })).toBe(tool);
});

test.each([
  ['License-Expression: MIT\nClassifier: License :: OSI Approved :: BSD License', 'MIT'],
  [
    'Classifier: License :: OSI Approved :: MIT License\nClassifier: License :: OSI Approved :: BSD License',
    'MIT License, BSD License',
  ],
  ['License: MIT', 'MIT'],
  ['Summary: none', 'unknown'],
])('the metadata %j of a Python package tells %s', (head, licence) => {
  expect(licenceIn(`Name: Typing_Extensions\n${head}\n\nLicense: of the text`)).toEqual([
    'typing-extensions',
    licence,
  ]);
});

test('each package of a requirements file is listed with the hashes of its files', () => {
  const [one, other] = ['a', 'b'].map((digit) => digit.repeat(64));
  const requirements = `# uv
annotated-doc==0.0.6 ; python_full_version < '3.11' \\
    --hash=sha256:${one} \\
    --hash=sha256:${other}
six==1.17.0 \\
    --hash=sha256:${other}
`;
  const sha256 = (content = '') => ({ alg: 'SHA-256', content });
  expect(pinnedIn(requirements)).toEqual([
    { name: 'annotated-doc', version: '0.0.6', hashes: [sha256(one), sha256(other)] },
    { name: 'six', version: '1.17.0', hashes: [sha256(other)] },
  ]);
});
