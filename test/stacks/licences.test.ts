import { readFileSync } from 'node:fs';
import { deployedPackages, LICENCES_PATH, licencesPage } from '../../bin/licences.ts';

/** Each lets us deploy and change what is under it, and asks for no more than its notice. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

const deployed = deployedPackages();

test('the list of licences is that of the lockfiles and the bundles; npm run licences writes it', () => {
  const page = readFileSync(LICENCES_PATH, 'utf8');
  expect(page).toBe(licencesPage(page, deployed));
});

test('what is deployed has permissive licences only', () => {
  expect(deployed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['undici', 'zod', '@aws-sdk/client-sqs', 'swagger-ui-dist']),
  );
  expect(deployed.filter(({ licence }) => !PERMISSIVE.includes(licence))).toEqual([]);
});
