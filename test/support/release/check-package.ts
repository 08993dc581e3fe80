import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { packageFaults, packedSchema } from './package-faults.ts';

// Reads what `npm pack --json` prints.
const [packed] = z.tuple([packedSchema]).parse(JSON.parse(await text(process.stdin)));
const faults = packageFaults(packed);
if (faults.length > 0) {
  throw new Error(`The package is not for others:\n${faults.join('\n')}`);
}
const [size, unpacked] = [packed.size, packed.unpackedSize].map((bytes) => (bytes / 1e6).toFixed(1));
console.log(`${packed.filename}: ${packed.files.length} files, ${size} MB, ${unpacked} MB unpacked`);
