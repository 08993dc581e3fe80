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
const A_LOAD_RUN =
  'its first run installs 500 MB and each takes all of the machine; the arguments are read by test/unit/docs';
const LONG = 'minutes, or hours, of the same';

/**
 * In the shell of a page there is besides: `until_seen TEXT COMMAND...`, which presses Ctrl-C once the text was printed; `curl`, which fails when the
 * answer is an error; RECEIVER, the URL of an endpoint that answers; RUNS, a folder with two load runs; ANOTHER_DIRECTORY and ANOTHER_PORT for a second
 * local stack. Variables stay set from block to block.
 */
export const AS_RUN: readonly RunOtherwise[] = [
  {
    page: README,
    printed: 'npm ci && npm start',
    asRun: `PAYHOOKS_STACK_DIRECTORY=$ANOTHER_DIRECTORY until_seen '✓ delivered' npm start -- --port "$ANOTHER_PORT"`,
    why: 'npm ci is the first step of .ci/run, and would take away what these tests run on; port and directory may be in use',
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run local',
    asRun: `PAYHOOKS_STACK_DIRECTORY=$ANOTHER_DIRECTORY until_seen 'ready after' npm run local -- --port "$ANOTHER_PORT"`,
    why: 'port and directory may be in use; somebody has to press Ctrl-C',
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run ops -- redrive deliveries',
    asRun: 'npm run ops -- redrive deliveries || [ $? = 1 ]',
    why: 'ends with 1 when there is nothing to do, as it says',
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run ops -- doctor',
    asRun: 'npm run ops -- doctor --only end-to-end,sweep',
    why: 'it would tell of what other tests have broken meanwhile; doctor.test.ts runs all checks',
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run load -- varying-receiver',
    asRun: 'npm run load -- varying-receiver --help',
    why: A_LOAD_RUN,
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run load -- hanging-neighbour',
    asRun: 'npm run load -- hanging-neighbour --help',
    why: A_LOAD_RUN,
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run load -- flood',
    asRun: 'npm run load -- flood --help',
    why: A_LOAD_RUN,
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run load -- partial-refusal',
    asRun: 'npm run load -- partial-refusal --help',
    why: A_LOAD_RUN,
  },
  {
    page: LOCAL_STACK,
    printed: 'npm run load -- compare <run> <run>',
    asRun: 'npm run load -- compare first second --folder "$RUNS"',
    why: 'there are no load runs; two made-up ones take their place',
  },
  {
    page: API,
    printed:
      "npm run webhooks -- create http://localhost:8080/webhooks --event-type 'card_payment_*' --description mine",
    asRun: `MINE=$(npm run --silent webhooks -- create "$RECEIVER" --event-type 'card_payment_*' --description mine --json | node -p 'JSON.parse(fs.readFileSync(0)).subscription_id')`,
    why: IN_A_STACK,
  },
  {
    page: API,
    printed: 'npm run webhooks -- ping sub_…',
    asRun: 'npm run webhooks -- ping "$MINE"',
    why: IN_A_STACK,
  },
  {
    page: API,
    printed: 'npm run webhooks -- message msg_…',
    asRun: `npm run webhooks -- message "$(npm run --silent webhooks -- ping "$MINE" --json | node -p 'JSON.parse(fs.readFileSync(0)).message_id')"`,
    why: IN_A_STACK,
  },
  {
    page: API,
    printed: 'npm run webhooks -- payment pay_123',
    asRun: `npm run webhooks -- payment "$(npm run --silent webhooks -- ping "$MINE" --json | node -p 'JSON.parse(fs.readFileSync(0)).payment_id')"`,
    why: IN_A_STACK,
  },
  {
    page: API,
    printed: 'npm run webhooks -- end-session ses_…',
    asRun: `npm run webhooks -- end-session "$(npm run --silent webhooks -- portal --json | node -p 'JSON.parse(fs.readFileSync(0)).session_id')"`,
    why: IN_A_STACK,
  },
  {
    page: API,
    printed: 'npm run webhooks -- tail',
    asRun: `until_seen 'time to send' npm run webhooks -- tail`,
    why: 'somebody has to press Ctrl-C',
  },
  ...['apiUrl', 'token'].map((member) => ({
    page: API,
    printed: `${member === 'token' ? 'TOKEN' : 'API'}=$(node -p "require('./.local/outputs.json').${member}")`,
    asRun: `${member === 'token' ? 'TOKEN' : 'API'}=$(node -p "require('$PAYHOOKS_STACK_DIRECTORY/outputs.json').${member}")`,
    why: IN_A_STACK,
  })),
  {
    page: API,
    printed: `curl "$API/v1/subscriptions" -H "authorization: Bearer $TOKEN" -d '{"callback_url":"http://localhost:8080/webhooks","description":"mine","event_types":["card_payment_*"],"live":false}'`,
    asRun: `curl "$API/v1/subscriptions" -H "authorization: Bearer $TOKEN" -d '{"callback_url":"'"$RECEIVER"'","description":"mine","event_types":["card_payment_*"],"live":false}'`,
    why: IN_A_STACK,
  },
  { page: API, printed: 'ID=sub_0XwjBXhMX22ibqB2ohyJBA', asRun: 'ID=$MINE', why: IN_A_STACK },
  {
    page: 'docs/publishing.md',
    printed: `QUEUE=$(node -p "require('./.local/outputs.json').queues.events")`,
    asRun: `QUEUE=$(node -p "require('$PAYHOOKS_STACK_DIRECTORY/outputs.json').queues.events")`,
    why: IN_A_STACK,
  },
  {
    page: 'docs/publishing.md',
    printed:
      'export AWS_ENDPOINT_URL=http://localhost:4566 AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1 AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=local',
    asRun:
      'export AWS_ENDPOINT_URL=$ENDPOINT AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1 AWS_ACCESS_KEY_ID=000000000000 AWS_SECRET_ACCESS_KEY=local',
    why: 'the emulator of the tests is on a port of its own',
  },
  {
    page: 'docs/contributing.md',
    printed: 'npx biome check --write functions',
    asRun: 'npx biome check functions',
    why: 'a test changes no file of ours',
  },
  {
    page: 'docs/contributing.md',
    printed: 'npx cdk synth --quiet --strict -c stage=local -c nag=true',
    asRun:
      'npx cdk synth --quiet --strict -c stage=local -c nag=true --no-notices --output "$ANOTHER_DIRECTORY/cdk.out"',
    why: 'somebody may be using cdk.out, and notices are asked for over the network',
  },
  {
    page: 'docs/scale.md',
    printed: 'npm run simulate -- scale',
    asRun: 'npm run simulate -- scale --size 0.01',
    why: LONG,
  },
  {
    page: 'docs/scale.md',
    printed: 'npm run simulate -- scale crowd --size 0.1',
    asRun: 'npm run simulate -- scale crowd --size 0.01',
    why: LONG,
  },
  {
    page: 'docs/scale.md',
    printed: 'npm run simulate -- scale comeback --json',
    asRun: 'npm run simulate -- scale comeback --json --size 0.01',
    why: LONG,
  },
  {
    page: 'docs/simulation.md',
    printed: 'npm run simulate',
    asRun: 'npm run simulate -- --seed 1 --runs 20',
    why: LONG,
  },
  {
    page: 'docs/simulation.md',
    printed: 'npm run simulate -- --minutes 600',
    asRun: 'npm run simulate -- --seed 1 --minutes 0.1',
    why: LONG,
  },
  {
    page: 'docs/simulation.md',
    printed: 'npm run simulate -- mutate',
    asRun: "npm run simulate -- mutate 'two messages of one ordering key' 96",
    why: LONG,
  },
];

/** The commands of a file that stands on the page whole. */
const POST_SH = 'docs/examples/verify/post.sh';

export const RUN_ELSEWHERE: readonly RunElsewhere[] = [
  {
    page: README,
    printed: 'npm ci && npm test',
    by: '.ci/run',
    shownBy: 'npm test -- --ci',
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
    shownBy: 'npm test -- --ci',
    why: 'these very tests',
  },
];

/** Blocks that are a file of their own, by page; the test of each runs it, and holds the page to the file. */
export const SCRIPTS_ELSEWHERE = [
  {
    page: 'docs/receiving.md',
    file: POST_SH,
    by: 'test/unit/docs/receiving.test.ts',
    shownBy: 'verify/post.sh',
  },
];
