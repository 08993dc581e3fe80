import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addPayhooks } from '../lib/payhooks.ts';
import { archived, rolledOut, withWorkers } from '../lib/stage-options.ts';
import { stageNamed, strictNetworkSchema, strictStage } from '../lib/stages.ts';

const app = new App();
// JSON; given by the test of hostile callback URLs, and there is no other stage that could take it.
const network = app.node.tryGetContext('testNetwork');
const stage =
  network === undefined
    ? archived(stageNamed(app.node.tryGetContext('stage') ?? 'dev'), app.node.tryGetContext('archive'))
    : strictStage(strictNetworkSchema.parse(JSON.parse(network)));
addPayhooks(
  app,
  rolledOut(withWorkers(stage, app.node.tryGetContext('workers')), app.node.tryGetContext('rollout')),
);
// The local stage is what is left of dev when the emulator's gaps are taken out: checking dev and prod checks it, and saves seconds.
if (!stage.emulated || app.node.tryGetContext('nag') === 'true') {
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
}
