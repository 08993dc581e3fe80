import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { EVENT_TYPES_PAGE, OPENAPI_FILE } from '../../functions/api/docs-page/page-files.ts';
import { openApiDocument } from '../../functions/api/openapi/document.ts';
import type { EventCatalogue } from '../events/event-catalogue.ts';
import { eventTypesPageHtml } from './event-types-page.ts';

/** Writes what partners read of the event types where `docs-page` reads it. */
export function writeCataloguePages(folder: string, { types }: EventCatalogue): void {
  const publish = (file: string, text: string) =>
    writeFileSync(
      path.join(folder, file),
      brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
  publish(OPENAPI_FILE, JSON.stringify(openApiDocument(types)));
  publish(`${EVENT_TYPES_PAGE}.br`, eventTypesPageHtml(types));
}
