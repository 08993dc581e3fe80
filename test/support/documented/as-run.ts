/** A printed command that the tests run in another form: as little different as can be. */
export interface RunOtherwise {
  readonly page: string;
  readonly printed: string;
  readonly asRun: string;
  readonly why: string;
}

/** A printed command that another test runs already, or the CI itself. */
export interface RunElsewhere {
  readonly page: string;
  readonly printed: string;
  /** The file that runs it, and the text in it that does. */
  readonly by: string;
  readonly shownBy: string;
  readonly why: string;
}

const README = 'README.md';
const LOCAL_STACK = 'docs/local-stack.md';
const API = 'docs/api.md';
const IN_A_STACK = 'the addresses, ids and folders of a stack of the tests';
const LONG = 'minutes, or hours, of the same';

const otherwise = (page: string, why: string, commands: Readonly<Record<string, string>>): RunOtherwise[] =>
  Object.entries(commands).map(([printed, asRun]) => ({ page, printed, asRun, why }));

/**
 * In the shell of a page there is besides: `until_seen TEXT COMMAND...`, which presses Ctrl-C once the text
 * was printed; `curl`, which fails when the answer is an error; RECEIVER, the URL of an endpoint that
 * answers; ANOTHER_DIRECTORY and ANOTHER_PORT for a second local stack.
 * Variables stay set from block to block.
 */
export const AS_RUN: readonly RunOtherwise[] = [
  ...otherwise(
    README,
    'npm ci is the first step of .ci/run, and would take away what these tests run on; port and directory may be in use',
    {
      'npm ci && npm start': `PAYHOOKS_STACK_DIRECTORY=$ANOTHER_DIRECTORY until_seen '✓ delivered' npm start -- --port "$ANOTHER_PORT"`,
    },
  ),
  ...otherwise(LOCAL_STACK, 'port and directory may be in use; somebody has to press Ctrl-C', {
    'npm run local': `PAYHOOKS_STACK_DIRECTORY=$ANOTHER_DIRECTORY until_seen 'ready after' npm run local -- --port "$ANOTHER_PORT"`,
  }),
  ...otherwise(
    LOCAL_STACK,
    'it would tell of what other tests have broken meanwhile; doctor.test.ts runs all checks',
    {
      'npm run ops -- doctor': 'npm run ops -- doctor --only end-to-end,sweep',
    },
  ),
  ...otherwise(API, IN_A_STACK, {
    "npm run webhooks -- create http://localhost:8080/webhooks --event-type 'card_payment_*' --description mine": `MINE=$(npm run --silent webhooks -- create "$RECEIVER" --event-type 'card_payment_*' --description mine --json | node -p 'JSON.parse(fs.readFileSync(0)).subscription_id')`,
    'npm run webhooks -- ping sub_…': 'npm run webhooks -- ping "$MINE"',
    'npm run webhooks -- message msg_…': `npm run webhooks -- message "$(npm run --silent webhooks -- ping "$MINE" --json | node -p 'JSON.parse(fs.readFileSync(0)).message_id')"`,
    'npm run webhooks -- payment pay_123': `npm run webhooks -- payment "$(npm run --silent webhooks -- ping "$MINE" --json | node -p 'JSON.parse(fs.readFileSync(0)).payment_id')"`,
    'npm run webhooks -- end-session ses_…': `npm run webhooks -- end-session "$(npm run --silent webhooks -- portal --json | node -p 'JSON.parse(fs.readFileSync(0)).session_id')"`,
    'API=$(node -p "require(\'./.local/outputs.json\').apiUrl")': `API=$(node -p "require('$PAYHOOKS_STACK_DIRECTORY/outputs.json').apiUrl")`,
    'TOKEN=$(node -p "require(\'./.local/outputs.json\').token")': `TOKEN=$(node -p "require('$PAYHOOKS_STACK_DIRECTORY/outputs.json').token")`,
    'curl "$API/v1/subscriptions" -H "authorization: Bearer $TOKEN" -d \'{"callback_url":"http://localhost:8080/webhooks","description":"mine","event_types":["card_payment_*"],"live":false}\'': `curl "$API/v1/subscriptions" -H "authorization: Bearer $TOKEN" -d '{"callback_url":"'"$RECEIVER"'","description":"mine","event_types":["card_payment_*"],"live":false}'`,
  }),
  ...otherwise(API, 'somebody has to press Ctrl-C', {
    'npm run webhooks -- tail': `until_seen 'time to send' npm run webhooks -- tail`,
    'npm run webhooks -- listen 3000/hooks': `until_seen 'Ctrl-C ends it' npm run webhooks -- listen 3000/hooks`,
  }),
  ...otherwise('docs/pull.md', 'the package is made elsewhere; somebody has to press Ctrl-C', {
    'npx payhooks listen 3000/webhooks': `until_seen 'Ctrl-C ends it' npm run webhooks -- listen 3000/webhooks`,
  }),
  ...otherwise('docs/publishing.md', IN_A_STACK, {
    'QUEUE=$(node -p "require(\'./.local/outputs.json\').queues.events")': `QUEUE=$(node -p "require('$PAYHOOKS_STACK_DIRECTORY/outputs.json').queues.events")`,
  }),
  ...otherwise('docs/publishing.md', 'the emulator of the tests is on a port of its own', {
    'export AWS_ENDPOINT_URL=http://localhost:4566 AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1 AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=local':
      'export AWS_ENDPOINT_URL=$ENDPOINT AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1 AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=local',
  }),
  ...otherwise('docs/contributing.md', 'a test changes no file of ours', {
    'npx biome check --write functions': 'npx biome check functions',
  }),
  ...otherwise(
    'docs/contributing.md',
    'somebody may be using cdk.out, and notices are asked for over the network',
    {
      'npx cdk synth --quiet --strict -c stage=local -c nag=true':
        'npx cdk synth --quiet --strict -c stage=local -c nag=true --no-notices --output "$ANOTHER_DIRECTORY/cdk.out"',
    },
  ),
  ...otherwise('docs/simulation.md', LONG, {
    'npm run simulate': 'npm run simulate -- --seed 1 --runs 20',
    'npm run simulate -- --minutes 600': 'npm run simulate -- --seed 1 --minutes 0.1',
    'npm run simulate -- mutate': `npm run simulate -- mutate 'two messages of one ordering key' 96`,
  }),
];

export const RUN_ELSEWHERE: readonly RunElsewhere[] = [
  {
    page: README,
    printed: 'npm ci && npm test',
    by: '.ci/run',
    shownBy: "step 'test' timeout --kill-after=10 1500 npm test",
    why: 'these very tests; .ci/run begins with npm ci',
  },
  {
    page: 'docs/contributing.md',
    printed: 'npm ci',
    by: '.ci/run',
    shownBy: '\nnpm ci\n',
    why: 'it would take away what these tests run on',
  },
  {
    page: 'docs/contributing.md',
    printed: 'npm test',
    by: '.ci/run',
    shownBy: "step 'test' timeout --kill-after=10 1500 npm test",
    why: 'these very tests',
  },
];
