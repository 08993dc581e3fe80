// Asks an example on stdin's webhooks, one a line of tab-separated base64 (header absent: -), and answers true or false for each:
// node drive.mjs <file> <function> [public]
import { readFileSync } from 'node:fs';

const [file, name] = process.argv.slice(2);
const verify = (await import(file))[name];
const text = (field) => Buffer.from(field, 'base64').toString();

for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [body, id, timestamp, signature, secret, now] = line.split('\t');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const present = Object.entries(headers).flatMap(([key, value]) =>
    value === '-' ? [] : [[key, text(value)]],
  );
  const instant = now === '-' ? [] : [Number(text(now))];
  let answer = false;
  try {
    answer = verify(Buffer.from(body, 'base64'), Object.fromEntries(present), text(secret), ...instant);
  } catch (error) {
    if (name !== 'eventOf') throw error;
  }
  console.log(Boolean(answer));
}
