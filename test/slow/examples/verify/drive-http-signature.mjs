import { createInterface } from 'node:readline';
import { isSignedBy } from '../../../../docs/examples/verify/http-signature.mjs';

for await (const line of createInterface({ input: process.stdin })) {
  const { url, headers, body, keys } = JSON.parse(line);
  console.log(isSignedBy(Buffer.from(body), headers, url, keys));
}
