import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../lib/payhooks.ts';
import { stageNamed } from '../lib/stages.ts';

const app = new App();
const stage = stageNamed(app.node.tryGetContext('stage') ?? 'dev');
addPayhooks(app, stage);
// The local stage is what is left of dev when the emulator's gaps are taken out: checking dev and prod checks it, and saves seconds.
if (!stage.emulated || app.node.tryGetContext('nag') === 'true') {
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
}
