import { EventBridgeClient, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import type { Pair } from '../../support/java/event-ruler/rule-by-rule.ts';
import { generatedPairs, isMeant, ours } from './generated-pairs.ts';

const PAIRS = 1_200;
const AT_ONCE = 8;

test('generated filters take what the pattern of a rule on the emulator takes, but for what is meant to differ', async () => {
  const client = new EventBridgeClient(clientConfig(stack.outputs.endpoint));
  const pairs = generatedPairs(PAIRS);
  const left = [...pairs.entries()];
  const theirs: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        theirs[next[0]] = await byEmulator(next[1], client);
      }
    }),
  );
  client.destroy();
  expect(
    pairs.filter((pair, index) => theirs[index] !== ours(pair) && !isMeant(pair, theirs[index]!)),
  ).toEqual([]);
  expect(theirs.filter((one) => one === 'true').length).toBeGreaterThan(100);
}, 180_000);

/** What a rule says of an event with this detail: `true`, `false`, or why there can be no such rule. */
async function byEmulator([filter, event]: Pair, client: EventBridgeClient): Promise<string> {
  const ENVELOPE =
    '"id":"1","source":"a","account":"1","time":"2026-11-20T00:00:00Z","region":"r","resources":[],"detail-type":"t"';
  try {
    const { Result } = await client.send(
      new TestEventPatternCommand({
        EventPattern: `{"detail":${filter}}`,
        Event: `{${ENVELOPE},"detail":${event}}`,
      }),
    );
    return String(Result);
  } catch (error) {
    return (error as Error).message;
  }
}
