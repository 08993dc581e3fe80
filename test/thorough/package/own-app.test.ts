import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import {
  GetSecretValueCommand,
  ListSecretsCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { type LocalOutputs, readOutputs } from '../../../cli/stage/local-outputs.ts';
import { PROJECT } from '../../../lib/project-paths.ts';
import { freePort } from '../../../local/port.ts';
import { startBrowser } from '../../support/browser/chromium.ts';
import { openConsole } from '../../support/browser/console-page.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  type Arrival,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';
import {
  documentedApp,
  type Folder,
  folderAt,
  installedIn,
  makeOwnApp,
} from '../../support/package/own-app.ts';
import { type Packed, packageFaults, packedSchema } from '../../support/release/package-faults.ts';

const readme = documentedApp();
let directory: string;
let packed: Packed;
let app: Folder;

const say = (line: string) => process.stderr.write(`${line}\n`);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'payhooks-package-'));
  const printed = await folderAt(PROJECT).run('npm', 'pack', '--json', '--pack-destination', directory);
  [packed] = z.tuple([packedSchema]).parse(JSON.parse(printed));
  app = folderAt(await mkdtemp(path.join(directory, 'app-')));
  await makeOwnApp(app, readme, path.join(directory, packed.filename));
}, 600_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

test('the README says what is done here', () => {
  expect([...readme.files.keys()]).toEqual(['app.ts', 'events/invoice.paid.yaml', 'cdk.json']);
  expect(readme.commands).toEqual([
    'npm init -y --init-type module',
    'npm install ../payhooks/payhooks-*.tgz aws-cdk-lib constructs',
    'npm install --save-dev aws-cdk@2',
    'npx cdk synth --quiet',
    'npx payhooks local',
    'npx payhooks --help',
  ]);
});

test('the package has what it needs, no more, and no dependencies', async () => {
  say(`the package: ${megabytes(packed.size)}, ${megabytes(packed.unpackedSize)} unpacked`);
  expect(packageFaults(packed)).toEqual([]);
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(path.join(app.path, 'node_modules/payhooks/package.json'), 'utf8'),
  );
  expect(dependencies).toBeUndefined();
  expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
  expect(await installedIn(app)).toEqual([
    ...['aws-cdk', 'aws-cdk-lib', 'constructs', 'node', 'payhooks', 'typescript'],
  ]);
});

test('a strict compiler takes the app, without skipping the typings of others', async () => {
  const printed = await app
    .run('tsc', '--noEmit', '--strict', '--module', 'nodenext', '--lib', 'esnext', '--types', '', 'app.ts')
    .catch(({ stdout }: { stdout: string }) => stdout);
  expect(printed).toBe('');
});

test('the app is synthesized, and so is one of CommonJS; each construct has its own console', async () => {
  const startedAt = performance.now();
  await app.run('npx', 'cdk', 'synth', '--quiet');
  say(`a first cdk synth: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  const [openApi = ''] = (await readdir(path.join(app.path, 'cdk.out'), { recursive: true })).filter((file) =>
    file.endsWith('openapi.json.br'),
  );
  const document = brotliDecompressSync(await readFile(path.join(app.path, 'cdk.out', openApi))).toString();
  expect(document).toContain('Lists the messages of a subscription, newest first.');
  await writeFile(
    path.join(app.path, 'two.cjs'),
    `const { App, Stack } = require('aws-cdk-lib');
     const { EventCatalogue, Payhooks } = require('payhooks');
     const app = new App();
     for (const product of ['Hooks of one', 'Hooks of two']) {
       const events = EventCatalogue.fromTypes([{ name: product.replaceAll(' ', '.'), description: product }]);
       new Payhooks(new Stack(app, product.replaceAll(' ', '')), 'Webhooks', { console: { product }, events });
     }`,
  );
  await app.run('npx', 'cdk', 'synth', '--quiet', '--app', 'node two.cjs', '--output', 'two.out');
  const assets = await readdir(path.join(app.path, 'two.out'), { recursive: true });
  expect(assets.filter((file) => file.endsWith('console.html.br'))).toHaveLength(2);
});

test('npx payhooks local deploys the app: an event of its own type is delivered, and seen in the console', async () => {
  const partner = await scriptedPartner(() => ACCEPTED);
  await writeFile(path.join(app.path, 'app.ts'), withEndpoint(partner.url('declared')));
  const port = await freePort(0);
  const local = app.start('npx', 'payhooks', 'local', '--port', String(port));
  const ended = once(local, 'exit');
  let told = '';
  for (const stream of [local.stdout, local.stderr]) {
    stream?.on('data', (chunk) => {
      told += chunk;
    });
  }
  try {
    await eventually(
      'the app is deployed',
      async () => {
        if (local.exitCode !== null) {
          throw new Error(told);
        }
        return told.includes('npx payhooks webhooks create');
      },
      { deadlineMs: 400_000, everyMs: 500 },
    );
    await deliversAnInvoice(await readOutputs(path.join(app.path, '.local/outputs.json')), partner);
  } finally {
    process.kill(-(local.pid as number), 'SIGINT');
    await ended;
    await partner.stop();
  }
  expect(told).toContain('\nWarming up\nready after ');
  expect(told).toContain('Stopped; nothing is left running');
}, 900_000);

/** The README's app, with an endpoint as code (docs/deploying.md). */
function withEndpoint(url: string): string {
  const given = readme.files.get('app.ts') ?? '';
  return `${given
    .replace('{ EventCatalogue, Payhooks }', '{ EventCatalogue, Payhooks, WebhookSubscription }')
    .replace('new Payhooks(', 'const webhooks = new Payhooks(')}
const declared = { webhooks, service: 'demo', url: '${url}', eventTypes: ['invoice.*'], live: false };
new WebhookSubscription(stack, 'Declared', declared);
`;
}

/** The signature of Standard Webhooks 1.0.0. */
function signatureOf({ headers, body }: Arrival, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** The only secret that the app has. */
async function declaredSecret({ endpoint }: LocalOutputs): Promise<string> {
  const client = new SecretsManagerClient(clientConfig(endpoint));
  const { SecretList: [secret] = [] } = await client.send(new ListSecretsCommand({}));
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secret?.ARN }));
  client.destroy();
  return SecretString;
}

async function deliversAnInvoice(outputs: LocalOutputs, partner: ScriptedPartner): Promise<void> {
  const command = async (...args: string[]) =>
    JSON.parse(await app.run('npx', 'payhooks', ...args, '--json'));
  const webhooks = (...args: string[]) => command('webhooks', ...args);
  const { subscription_id } = await webhooks('create', partner.url('shop'), '--event-type', 'invoice.*');
  const sent = await command('ops', 'send', '--payments', '1', '--events-per-payment', '1');

  const declared = await eventually(
    'the declared endpoint’s webhook',
    async () => partner.arrivals('declared')[0],
  );
  expect(declared.headers['webhook-signature']).toBe(signatureOf(declared, await declaredSecret(outputs)));
  const webhook = await eventually('the webhook', async () => partner.arrivals('shop')[0]);
  expect(webhook.headers['webhook-signature']).toMatch(/^v1,/);
  expect(JSON.parse(webhook.body)).toMatchObject({
    event_type: 'invoice.paid',
    payment_id: sent.first_payment_id,
  });
  await eventually('the message is delivered', async () => {
    const { messages } = await webhooks('messages', subscription_id);
    return messages[0]?.state === 'succeeded' && messages[0]?.event_type === 'invoice.paid';
  });

  const browser = await startBrowser();
  try {
    const { url } = await webhooks('portal');
    const console = await openConsole(browser, outputs.apiUrl, new URL(url).hash);
    await console.go(`#/subscriptions/${subscription_id}/messages`);
    await console.shows('invoice.paid');
    expect(console.complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}
