import { text } from 'node:stream/consumers';
import { billFaults } from './package-faults.ts';

const faults = await billFaults(await text(process.stdin));
if (faults.length > 0) {
  throw new Error(`The bill of materials is not valid CycloneDX: ${JSON.stringify(faults, null, 2)}`);
}
