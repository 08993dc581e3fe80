import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { inRegionOf } from '../../../cli/stage/chosen-deployment.ts';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { testApp } from '../../support/templates/synthesized.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const REGION =
  /\b(af|ap|ca|cn|eu|il|me|mx|sa|us|us-gov|us-iso[a-z]?)-(north|south|east|west|central|northeast|southeast|northwest|southwest)-\d\b/g;

/** Where a region may be written, and why. */
const MAY_NAME_ONE: Readonly<Record<string, string>> = {
  'payhooks.config.ts': 'the region of each stage',
  'lib/prices.ts': 'the region of the list prices',
  'functions/core/analysis/list-prices.ts': 'the same, of what analysts are told',
};

test('no region is written anywhere but in the stages and prices', () => {
  const files = globSync(['lib/**/*', 'functions/**/*', 'bin/**/*', 'cli/operator/**/*', 'cdk.json'], {
    cwd: ROOT,
  }).filter((file) => /\.(ts|js|json|sql|css|html|d\.ts)$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const named = files.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(REGION)].map(([region]) => `${file}: ${region}`),
  );
  expect(named.filter((one) => MAY_NAME_ONE[one.split(':')[0] ?? ''] === undefined)).toEqual([]);
});

/** CDK writes exports in the order in which it meets them, which varies. */
function inOneOrder<T extends { Outputs?: object }>(template: T): T {
  const { Outputs = {} } = template;
  return {
    ...template,
    Outputs: Object.fromEntries(Object.entries(Outputs).sort(([one], [other]) => one.localeCompare(other))),
  };
}

/**
 * The templates by stack, with its region replaced by one word. Version names are hashes of everything in the
 * function.
 */
function templatesIn(region: string, name: 'dev' | 'prod'): Record<string, string> {
  const env = { account: '111122223333', region };
  return Object.fromEntries(
    Object.values(addPayhooks(testApp(), { ...STAGES[name], env })).map((stack) => [
      `${stack.stackName} in ${stack.region.replace(region, 'its region')}`,
      JSON.stringify(inOneOrder(Template.fromStack(stack).toJSON()))
        .replaceAll('List prices of us-east-1', '')
        .replaceAll(region, 'its region')
        .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1'),
    ]),
  );
}

test.each(['dev', 'prod'] as const)('%s in another region differs only in the region’s name', (name) => {
  // Of the same length: CDK splits long policies by their size.
  const [here, there] = [templatesIn('eu-central-1', name), templatesIn('ca-central-1', name)];
  expect(Object.keys(there)).toEqual(Object.keys(here));
  expect(Object.keys(here).filter((stack) => stack.endsWith(' in its region'))).toEqual(Object.keys(here));
  expect(Object.keys(here).filter((stack) => here[stack] !== there[stack])).toEqual([]);
  expect(Object.values(here).flatMap((template) => template.match(REGION) ?? [])).toEqual([]);
});

test("commands use the stage's region, or that of the credentials if it names none", () => {
  expect(inRegionOf({ by: 'stage', name: 'local' })).toEqual({ region: STAGES.local.env?.region });
  expect(inRegionOf({ by: 'stage', name: 'prod' })).toEqual(
    STAGES.prod.env === undefined ? {} : { region: STAGES.prod.env.region },
  );
});

test('each AWS client that commands create for a deployed stage gets its region', () => {
  const files = globSync(
    [
      'cli/{operator,stage,terminal,publisher}/**/*.ts',
      'local/**/*.ts',
      'load/lab/**/*.ts',
      'load/cost/*.ts',
    ],
    { cwd: ROOT },
  );
  const untold = files.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/new \w+Client\(\s*\)/g)].map(
      ([made]) => `${file}: ${made}`,
    ),
  );
  expect(untold).toEqual([]);
});
