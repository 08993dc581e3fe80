import * as z from 'zod';
import { positionOf } from '../../../core/api/cursor.ts';

/** The position from which a page of messages continues. */
export const cursorSchema = z.string().transform((cursor, { addIssue }) => {
  const position = positionOf(cursor);
  if (position === undefined) {
    addIssue('is not a cursor from an earlier response');
    return z.NEVER;
  }
  return position;
});
