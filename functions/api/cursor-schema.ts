import * as z from 'zod';

/**
 * Where a page continues, as a query parameter.
 *
 * @param placeOf what a cursor says; undefined when it is not one of ours
 */
export function cursorSchema<Place>(placeOf: (cursor: string) => Place | undefined) {
  return z.string().transform((cursor, { addIssue }) => {
    const place = placeOf(cursor);
    if (place === undefined) {
      addIssue('is not a cursor from an earlier response');
      return z.NEVER;
    }
    return place;
  });
}
