import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openApiDocument } from '../functions/api/openapi/document.ts';

/** Where it lies for readers of the repository; the same is served at /v1/openapi.json. */
const OPENAPI_PATH = path.join(import.meta.dirname, '../docs/openapi.json');

await writeFile(OPENAPI_PATH, `${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
