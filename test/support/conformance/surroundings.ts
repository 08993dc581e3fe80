import { type DeployedStack, deployedStack, type Service } from '../deployed/deployed-stack.ts';
import { ACCEPTED, type Script, type ScriptedPartner, scriptedPartner } from '../network/scripted-partner.ts';

/** What a file's tests share. Read its members in tests only: they are set before each. */
export interface Surroundings {
  stack: DeployedStack;
  partner: ScriptedPartner;
  /** A new one for each test, so that endpoints of others with the same name do not count. */
  service: Service;
  /** What the partner does; accepts everything at the start of each test. */
  reply: Script;
  /** The URL of an endpoint of this test alone. */
  url(endpoint: string): string;
  arrivals(endpoint: string): ReturnType<ScriptedPartner['arrivals']>;
}

/** Registers the hooks that set up and take down the surroundings. */
export function surroundings(): Surroundings {
  const nameOf = (endpoint: string) => `${endpoint}-${shared.service.serviceId}`;
  const shared: Surroundings = {
    // Set by the hooks below, before any test reads them.
    ...({} as Pick<Surroundings, 'stack' | 'partner' | 'service'>),
    reply: () => ACCEPTED,
    url: (endpoint) => shared.partner.url(nameOf(endpoint)),
    arrivals: (endpoint) => shared.partner.arrivals(nameOf(endpoint)),
  };
  beforeAll(async () => {
    shared.stack = await deployedStack();
    shared.partner = await scriptedPartner((arrival) => shared.reply(arrival));
  });
  beforeEach(async () => {
    shared.service = await shared.stack.newService();
    shared.reply = () => ACCEPTED;
  });
  afterAll(async () => {
    await shared.partner?.stop();
    shared.stack?.close();
  });
  return shared;
}
