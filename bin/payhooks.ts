import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { printableError } from '../cli/terminal/terminal.ts';
import { addPayhooks } from '../lib/app/add-payhooks.ts';
import { stageNamed } from '../lib/app/stage-named.ts';
import { archived, pinned, rolledOut, withWorkers } from '../lib/app/stage-options.ts';
import { testStage } from '../lib/app/test-stages.ts';

function makeApp(): void {
  const app = new App();
  const given = (option: string): unknown => app.node.tryGetContext(option);
  const stage = testStage(given('stage'), given('testNetwork')) ?? stageNamed(given('stage') ?? 'dev');
  const adapted = archived(withWorkers(stage, given('workers')), given('archive'));
  const place = { account: given('account'), region: given('region') };
  addPayhooks(app, pinned(rolledOut(adapted, given('rollout')), place, process.env.CDK_DEFAULT_ACCOUNT));
  // The local stage is dev minus what the emulator lacks, so checking dev and prod covers it and saves seconds.
  if (!stage.emulated || given('nag') === 'true') {
    Validations.of(app).addPlugins(new AwsSolutionsChecks());
  }
}

try {
  makeApp();
} catch (error) {
  if ((error as Error).constructor !== Error) {
    throw error;
  }
  // A setting is wrong, and the message says how: a stack trace would push it off the screen.
  console.error(printableError((error as Error).message));
  process.exitCode = 1;
}
