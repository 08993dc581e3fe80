import { Tracer } from '@aws-lambda-powertools/tracer';

/** A file of its own: a function without it does not carry the X-Ray SDK, 120 KB. */
export const tracer = new Tracer();
