/** Why a request got no answer, with the code of Node or undici. */
export interface ConnectionError {
  readonly code: string;
  /**
   * `silent`: nothing answers. `untrusted`: the certificate is not trusted. `broken`: the answer is
   * incomplete or not HTTP.
   */
  readonly kind: 'silent' | 'untrusted' | 'broken';
}

const SILENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const UNTRUSTED = /^(CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

/** The connection error in an error, which `fetch` wraps as its cause; undefined when it is another error. */
export function connectionError(error: unknown): ConnectionError | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const code = String(Reflect.get(error, 'code'));
  if (UNTRUSTED.test(code)) {
    return { code, kind: 'untrusted' };
  }
  if (SILENT.includes(code) || BROKEN.includes(code)) {
    return { code, kind: SILENT.includes(code) ? 'silent' : 'broken' };
  }
  const cause = connectionError(error.cause);
  if (cause === undefined && error.message === 'fetch failed' && error.cause instanceof Error) {
    const { code: itsCode = error.cause.message } = error.cause as NodeJS.ErrnoException;
    return { code: itsCode, kind: 'broken' };
  }
  return cause;
}

export function connectionErrorSentence({ code, kind }: ConnectionError, where: string): string {
  switch (kind) {
    case 'silent':
      return `Nothing answers at ${where} (${code}).`;
    case 'untrusted':
      return `The certificate of ${where} is not trusted (${code}).`;
    case 'broken':
      return `The connection to ${where} failed (${code}).`;
  }
}
