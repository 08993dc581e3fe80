import * as z from 'zod/mini';
import { serviceIdSchema } from '../../core/api/api-token.ts';

/** CloudFormation passes all values on as text. */
const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

const fieldsSchema = z.record(z.string(), z.unknown());

/** A subscription as a template declares it: the properties of the resource. */
const declarationSchema = z.object({
  serviceId: serviceIdSchema,
  live: flag,
  /** The fields that may change, as the API takes them: all of them, with null for those that are unset. */
  fields: z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => JSON.parse(text)),
      fieldsSchema,
    ),
  ),
  /** Where the signing secret is kept. Absent: an adopted subscription keeps its own. */
  secretArn: z.optional(z.string()),
  /** The id of a subscription that exists and is managed from now on. */
  adopt: z.optional(z.string()),
  /** Whether it may be deleted while messages wait for its endpoint. */
  deleteWhileWaiting: flag,
});
export type Declaration = z.infer<typeof declarationSchema>;

/** @throws when the properties are not those that `WebhookSubscription` writes */
export const declarationOf = (properties: unknown): Declaration => declarationSchema.parse(properties);

const shared = {
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  ResponseURL: z.string(),
};
const properties = z.record(z.string(), z.unknown());

/** Source: "Custom resource request objects", AWS CloudFormation User Guide. */
const requestSchema = z.discriminatedUnion('RequestType', [
  z.object({ ...shared, RequestType: z.literal('Create'), ResourceProperties: properties }),
  z.object({
    ...shared,
    RequestType: z.literal('Update'),
    PhysicalResourceId: z.string(),
    ResourceProperties: properties,
    OldResourceProperties: properties,
  }),
  z.object({
    ...shared,
    RequestType: z.literal('Delete'),
    PhysicalResourceId: z.string(),
    ResourceProperties: properties,
  }),
]);
export type DeclarationRequest = z.infer<typeof requestSchema>;

/** @throws when it is no request of CloudFormation */
export const declarationRequestOf = (event: unknown): DeclarationRequest => requestSchema.parse(event);
