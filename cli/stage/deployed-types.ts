import * as z from 'zod';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import { ExplainedError } from '../terminal/explanation.ts';

const webhookSchema = z.object({
  deprecated: z.boolean().default(false),
  requestBody: z.object({
    content: z.object({
      'application/json': z.object({
        schema: z.object({
          allOf: z.tuple([
            z.unknown(),
            z.object({
              properties: z.object({
                resource_type: z.object({ const: z.string() }).optional(),
                resource: z.unknown().optional(),
              }),
            }),
          ]),
        }),
        example: z.object({ resource: z.record(z.string(), z.unknown()) }).optional(),
      }),
    }),
  }),
});
const documentSchema = z.object({ webhooks: z.record(z.string(), z.object({ post: webhookSchema })) });

/** What a stage tells of an event type to everybody. */
export interface DeployedType extends Pick<EventType, 'name' | 'deprecated' | 'resource_type' | 'sample'> {
  readonly hasSchema: boolean;
}

/**
 * The event types that a stage knows, in their order, from its OpenAPI document.
 *
 * @param apiUrl without a final slash
 * @throws ExplainedError when there is no such document
 */
export async function deployedTypes(apiUrl: string): Promise<readonly DeployedType[]> {
  const answer = await fetch(`${apiUrl}/v1/openapi.json`).catch((error: Error) => error);
  if (answer instanceof Error || !answer.ok) {
    const why = answer instanceof Error ? answer.message : `it answered ${answer.status}`;
    throw new ExplainedError(`${apiUrl}/v1/openapi.json cannot be read: ${why}. Is the api deployed?`);
  }
  return typesIn(await answer.json());
}

/** @throws ZodError when it is no document of this release */
export function typesIn(document: unknown): readonly DeployedType[] {
  const { webhooks } = documentSchema.parse(document);
  return Object.entries(webhooks).map(([name, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'];
    const { resource_type, resource } = schema.allOf[1].properties;
    return {
      name,
      ...(post.deprecated ? { deprecated: {} } : {}),
      ...(resource_type === undefined ? {} : { resource_type: resource_type.const }),
      ...(example === undefined ? {} : { sample: example.resource }),
      hasSchema: resource !== undefined,
    };
  });
}
