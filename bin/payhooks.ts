import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../lib/payhooks.ts';
import { archived, pinned, rolledOut, withWorkers } from '../lib/stage-options.ts';
import { stageNamed } from '../lib/stages.ts';
import { testStage } from '../lib/test-stages.ts';

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
