import { readdir, readFile, readlink } from 'node:fs/promises';

/** Expects that a process listens, and is connected, on loopback only; systems but Linux do not tell. */
export async function expectLoopbackOnly(pid: number): Promise<void> {
  if (process.platform === 'linux') {
    expect(await addressesOf(pid)).toEqual(['127.0.0.1']);
  }
}

/** Of a socket that listens: nobody is at its other end. */
const NOBODY = '0.0.0.0:0';

/**
 * The addresses at both ends of a process's sockets, each once; those of IPv6 in hexadecimal. Source:
 * proc_net_tcp(5).
 */
async function addressesOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    // A file may be closed meanwhile.
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')),
  );
  const own = new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  );
  const ends = tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, here = '', there = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
      return own.has(inode) ? [readable(here), readable(there)] : [];
    }),
  );
  const addresses = ends.filter((end) => end !== NOBODY).map((end) => end.split(':')[0] as string);
  return [...new Set(addresses)].sort();
}

/** An IPv4 address is a number in the order of the processor's bytes. */
function readable(end: string): string {
  const [address = '', hexPort = ''] = end.split(':');
  const name = address.length > 8 ? address : [...Buffer.from(address, 'hex')].reverse().join('.');
  return `${name}:${Number.parseInt(hexPort, 16)}`;
}
