import { ACCEPTED, type Script, type ScriptedPartner, scriptedPartner } from '../network/scripted-partner.ts';

/** A partner, a new one for each test of the file that imports it; it accepts every webhook. */
export let partner: ScriptedPartner;

let script: Script;

/** Has the partner do this from now on, in this test. */
export function onArrival(does: Script): void {
  script = does;
}

beforeEach(async () => {
  script = () => ACCEPTED;
  partner = await scriptedPartner((arrival) => script(arrival));
});
afterEach(() => partner?.stop());
