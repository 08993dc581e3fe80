import { bytesOfSecret } from '../../core/attempt/signature.ts';
import { type Declaration, type DeclarationRequest, declarationOf } from './declaration.ts';

/** What the API is asked, in the name of a stack. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly serviceId: string;
  /** Who asks, as the audit trail says it. */
  readonly who: string;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export interface DeclaredSubscriptionPorts {
  /** Asks our API, with all its rules. */
  ask(asked: Asked): Promise<Answered>;
  readonly secrets: {
    /** Undefined while it has no value. */
    read(arn: string): Promise<string | undefined>;
    write(arn: string, secret: string): Promise<void>;
  };
  /** A new signing secret. */
  newSecret(): string;
  wait(ms: number): Promise<void>;
}

/** Before anything exists. CloudFormation asks to delete it when a creation fails. */
export const NOT_CREATED = 'not-created';

/** How often a request is made that another one was in the way of. */
const MAX_TRIES = 4;
const PAUSE_MS = 2_000;

/**
 * Does what CloudFormation asks: creates, changes or deletes a subscription, by our API and so by its rules.
 * Safe to repeat.
 *
 * @returns the subscription's id
 * @throws when the API refuses it, with its reason, which never quotes a secret
 */
export async function declaredSubscription(
  request: DeclarationRequest,
  ports: DeclaredSubscriptionPorts,
): Promise<string> {
  const who = `stack ${request.StackId.split('/')[1] ?? request.StackId}`;
  switch (request.RequestType) {
    case 'Create':
      return created(declarationOf(request.ResourceProperties), request, who, ports);
    case 'Update': {
      const [before, after] = [request.OldResourceProperties, request.ResourceProperties].map(declarationOf);
      return isAnother(before!, after!)
        ? created(after!, request, who, ports)
        : changed(request.PhysicalResourceId, after!, who, ports);
    }
    case 'Delete':
      await deleted(request.PhysicalResourceId, request, who, ports);
      return request.PhysicalResourceId;
  }
}

/** What cannot change makes another subscription; CloudFormation then asks to delete the former. */
function isAnother(before: Declaration, after: Declaration): boolean {
  return (['serviceId', 'live', 'adopt', 'secretArn'] as const).some((name) => before[name] !== after[name]);
}

async function created(
  declaration: Declaration,
  { RequestId }: DeclarationRequest,
  who: string,
  ports: DeclaredSubscriptionPorts,
): Promise<string> {
  const { serviceId, live, fields, secretArn, adopt } = declaration;
  if (adopt !== undefined) {
    return changed(adopt, declaration, who, ports);
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const body = {
    ...given,
    live,
    ...(secretArn === undefined ? {} : { signing_secret: await keptSecret(secretArn, ports) }),
  };
  const asked = { method: 'POST', path: '/v1/subscriptions', body, idempotencyKey: RequestId } as const;
  const answer = await asking({ ...asked, serviceId, who }, ports);
  return String((answer.body as { readonly subscription_id: unknown }).subscription_id);
}

/** Stored before the subscription exists: so nothing is lost if this worker dies in between. */
async function keptSecret(arn: string, { secrets, newSecret }: DeclaredSubscriptionPorts): Promise<string> {
  const stored = await secrets.read(arn);
  if (stored !== undefined && bytesOfSecret(stored) !== undefined) {
    return stored;
  }
  const secret = newSecret();
  await secrets.write(arn, secret);
  return secret;
}

async function changed(
  id: string,
  { serviceId, fields }: Declaration,
  who: string,
  ports: DeclaredSubscriptionPorts,
): Promise<string> {
  await asking({ method: 'PATCH', path: pathOf(id), body: fields, serviceId, who }, ports);
  return id;
}

async function deleted(
  id: string,
  { ResourceProperties }: DeclarationRequest,
  who: string,
  ports: DeclaredSubscriptionPorts,
): Promise<void> {
  if (!id.startsWith('sub_')) {
    return;
  }
  const { serviceId, deleteWhileWaiting } = declarationOf(ResourceProperties);
  const path = pathOf(id);
  if (!deleteWhileWaiting) {
    if (await doMessagesWait(path, { serviceId, who }, ports)) {
      throw new Error(
        `messages still wait for the endpoint of ${id}, and deleting it would cancel them: deliver or cancel them first, or declare deleteWhileWaiting: true`,
      );
    }
  }
  await asking({ method: 'DELETE', path, serviceId, who }, ports, [404]);
}

/** What waits has been tried, or is kept back; what is on its way for the first time is not on record yet. */
async function doMessagesWait(
  path: string,
  asker: Pick<Asked, 'serviceId' | 'who'>,
  ports: DeclaredSubscriptionPorts,
): Promise<boolean> {
  for (const state of ['retrying', 'parked'] as const) {
    const query = `state=${state}&limit=1`;
    const { body } = await asking({ method: 'GET', path: `${path}/messages`, query, ...asker }, ports, [404]);
    if (((body as { readonly messages?: readonly unknown[] }).messages ?? []).length > 0) {
      return true;
    }
  }
  return false;
}

const pathOf = (id: string) => `/v1/subscriptions/${encodeURIComponent(id)}`;

/** @throws on an answer that is neither 2xx nor one of these */
async function asking(
  asked: Asked,
  { ask, wait }: DeclaredSubscriptionPorts,
  alsoFine: readonly number[] = [],
): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(asked);
    if ((answer.status >= 200 && answer.status < 300) || alsoFine.includes(answer.status)) {
      return answer;
    }
    const { type, detail } = answer.body as { readonly type?: unknown; readonly detail?: unknown };
    const isInTheWay = /:(contended|request-in-progress|look-up-failed|internal)$/.test(String(type));
    if (!isInTheWay || tries === MAX_TRIES) {
      throw new Error(`${asked.method} ${asked.path} was answered ${answer.status}: ${detail}`);
    }
    await wait(PAUSE_MS);
  }
}
