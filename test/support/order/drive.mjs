// Asks an example about stdin's webhooks, one JSON line each, and prints a verdict for each:  node drive.mjs <file>
import { createInterface } from 'node:readline';

const { check, NOTHING } = await import(process.argv[2]);
const states = new Map();
const verdicts = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { of, webhook } = JSON.parse(line);
  const { verdict, state } = check(states.get(of) ?? NOTHING, webhook);
  states.set(of, state);
  verdicts.push(verdict);
}
console.log(verdicts.join('\n'));
