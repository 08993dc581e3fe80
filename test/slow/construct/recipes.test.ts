import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fences, PROJECT } from '../../support/documented/pages.ts';

const page = 'docs/deploying.md';
const [whole = '', ...others] = fences({ name: page, text: readFileSync(path.join(PROJECT, page), 'utf8') })
  .filter(({ info }) => info === 'ts recipe')
  .map(({ text }) => text);
/** The others take the place of its last line, but for whole apps. */
const recipes = [
  whole,
  ...others.map((text) =>
    text.includes('new App()') ? text : whole.replace(/^const webhooks = .*$/m, () => text),
  ),
];

type Templates = Record<string, { Resources: Record<string, { Type: string; Properties: object }> }>;

/** Runs each recipe as its reader would, and gives back the templates of its stacks, by their names. */
function synthesizedRecipes(): Templates[] {
  const scratch = path.join(PROJECT, '.local');
  mkdirSync(scratch, { recursive: true });
  const directory = mkdtempSync(path.join(scratch, 'recipes-'));
  try {
    const context = JSON.stringify(JSON.parse(readFileSync(path.join(PROJECT, 'cdk.json'), 'utf8')).context);
    const files = recipes.map((text, index) => {
      const file = path.join(directory, `recipe-${index}.ts`);
      const ours = path.join(PROJECT, 'lib/index.ts');
      writeFileSync(file, `${text.replaceAll("'payhooks'", `'${ours}'`)}\nexport { app };\n`);
      return file;
    });
    const run = path.join(directory, 'run.ts');
    writeFileSync(
      run,
      `const all = [];
for (const file of ${JSON.stringify(files)}) {
  const { app } = await import(file);
  const { stacksRecursively } = app.synth();
  all.push(Object.fromEntries(stacksRecursively.map(({ stackName, template }) => [stackName, template])));
}
process.stdout.write(JSON.stringify(all));
`,
    );
    const env = {
      ...process.env,
      CDK_CONTEXT_JSON: JSON.stringify({ ...JSON.parse(context), 'aws:cdk:bundling-stacks': [] }),
    };
    const { stdout, stderr } = spawnSync(process.execPath, [run], {
      ...{ cwd: PROJECT, encoding: 'utf8', env, maxBuffer: 64_000_000 },
    });
    try {
      return JSON.parse(stdout);
    } catch {
      throw new Error(`a recipe of ${page} does not work:\n${stderr}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const [first, , , , pipeline, endpoint] = synthesizedRecipes() as [
  Templates,
  Templates,
  Templates,
  Templates,
  Templates,
  Templates,
];

const ofType = (templates: Templates, type: string) =>
  Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources))
    .filter(({ Type }) => Type === `AWS::${type}`)
    .map(({ Properties }) => Properties as Record<string, unknown>);

test('the page has these recipes and no others', () => {
  expect(recipes).toHaveLength(6);
});

test('three lines deploy everything', () => {
  expect(Object.keys(first)).toEqual(['Shop']);
  expect(ofType(first, 'DynamoDB::Table')).toHaveLength(9);
  expect(ofType(first, 'Events::EventBus')).toHaveLength(1);
});

test('my pipeline: two stages, of which neither has a name of the other', () => {
  expect(Object.keys(pipeline).sort()).toEqual(['Live-Shop', 'Pipeline', 'Test-Shop']);
  const buses = ofType(pipeline, 'Events::EventBus').map(({ Name }) => Name);
  expect(new Set(buses).size).toBe(2);
  expect(ofType(pipeline, 'CodePipeline::Pipeline')).toHaveLength(1);
});

test('an endpoint as code: it belongs to its service, and its secret to the stack', () => {
  const resources = Object.values(endpoint.Shop?.Resources ?? {});
  const [declared] = resources.filter(({ Type }) => Type === 'Custom::WebhookSubscription');
  expect(declared?.Properties).toMatchObject({ serviceId: 'shop', live: 'true' });
  expect(ofType(endpoint, 'SecretsManager::Secret')).toHaveLength(1);
});
