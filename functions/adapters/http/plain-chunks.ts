const LF = 0x0a;
/** undici refuses it, after it has read the head that came before. */
const NO_SIZE = 'no size\r\n';
const SIZE_LINE = /^0*([0-9a-f]{1,8})[ \t]*(;|$)/i;

/**
 * Leaves of a body in chunks what counts: spaces around sizes, extensions and trailers are removed, which
 * clients must be able to read (RFC 9112, section 7.1) and undici's parser refuses for the most part.
 *
 * @returns a filter for the bytes after the head; it holds back the start of a line at most
 */
export function plainChunks(): (bytes: Buffer) => Buffer {
  let expected: 'size' | 'data' | 'end of data' | 'trailer' | 'nothing' = 'size';
  let dataBytes = 0;
  let line = '';

  const afterLine = (): string => {
    if (expected === 'trailer') {
      expected = line === '' ? 'nothing' : 'trailer';
      return line === '' ? '0\r\n\r\n' : '';
    }
    if (expected === 'end of data' && line === '') {
      expected = 'size';
      return '\r\n';
    }
    const [, size] = (expected === 'size' && SIZE_LINE.exec(line)) || [];
    if (size === undefined) {
      expected = 'nothing';
      return NO_SIZE;
    }
    dataBytes = Number.parseInt(size, 16);
    expected = dataBytes === 0 ? 'trailer' : 'data';
    return dataBytes === 0 ? '' : `${size}\r\n`;
  };

  return (bytes) => {
    const plain: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (expected === 'data' || expected === 'nothing') {
        const data = bytes.subarray(at, expected === 'data' ? at + dataBytes : undefined);
        plain.push(data);
        at += data.length;
        dataBytes -= data.length;
        expected = expected === 'data' && dataBytes === 0 ? 'end of data' : expected;
        continue;
      }
      const end = bytes.indexOf(LF, at);
      line += bytes.toString('latin1', at, end < 0 ? undefined : end);
      if (end < 0) {
        break;
      }
      at = end + 1;
      line = line.trim();
      plain.push(Buffer.from(afterLine()));
      line = '';
    }
    return plain.length === 1 ? plain[0]! : Buffer.concat(plain);
  };
}
