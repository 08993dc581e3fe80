import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { EventCatalogue } from '../../../lib/events/event-catalogue.ts';
import { PROJECT, searchPath } from '../../../lib/project-paths.ts';
import { operatorCommand } from '../operator-command.ts';

export const schema = operatorCommand({
  name: 'schema',
  summary: 'Write the JSON Schemas of events and the OpenAPI document in docs from the code',
  example: '',
  async run(_, { print }) {
    const [{ EVENT_SCHEMA_PATH, eventSchema }, operational, { openApiDocument }] = await Promise.all([
      import('./event-schema.ts'),
      import('./event-schema.ts'),
      import('../../../functions/api/openapi/document.ts'),
    ]);
    const { types } = EventCatalogue.govUkPay();
    const documents: Readonly<Record<string, object>> = {
      [EVENT_SCHEMA_PATH]: eventSchema(types),
      [operational.OPERATIONAL_EVENT_SCHEMA_PATH]: operational.operationalEventJsonSchema(),
      // The API of a stage with these types serves the same at /v1/openapi.json.
      [path.join(PROJECT, 'docs/openapi.json')]: openApiDocument(types),
    };
    const files = Object.keys(documents);
    for (const [file, document] of Object.entries(documents)) {
      await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
    }
    await promisify(execFile)('biome', ['format', '--write', ...files], {
      cwd: PROJECT,
      env: { ...process.env, PATH: searchPath(process.env) },
    });
    print(files.map((file) => path.relative(PROJECT, file)).join('\n'), { files });
    return true;
  },
});
