import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface ToSign {
  readonly service: string;
  readonly region: string;
  /** Names in lower case, with `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly nowMs: number;
}

/**
 * The headers of a signed `POST /`. Source: "Create a signed AWS API request", AWS IAM User Guide.
 */
export function signed(
  { service, region, headers, body, nowMs }: ToSign,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const all: Record<string, string> = {
    ...headers,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(all).sort();
  const request = [
    'POST',
    '/',
    '',
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, text).toString('hex')}`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
