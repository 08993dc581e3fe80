import { ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { type Check, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';

/** Whether each event finds a rule: what matches none vanishes. */
export const rules: Check = {
  name: 'rules',
  async run(stage) {
    const { clients, output, settings } = stage;
    const EventBusName = output('pipeline', 'BusName');
    const { Rules = [] } = await clients.eventBridge.send(new ListRulesCommand({ EventBusName, Limit: 100 }));
    // A team may have rules of its own on the bus, such as for operational events.
    const ours = Rules.filter(({ Description = '' }) => Description.startsWith('Payment events of '));
    const off = ours.filter(({ State }) => State !== 'ENABLED').map(({ Name }) => `${Name} is off`);
    const wanted = settings.shards + 1;
    const count = ours.length === wanted ? [] : [`there are ${ours.length} instead of ${wanted}`];
    return judged(
      [...count, ...off],
      `${ours.length} rules for payment events, all on`,
      `Events that match no rule are lost: enable the rules (aws events enable-rule), or put back what is gone: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};
