import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureLibraries } from '../../../support/java/java.ts';
import { removeScratch, scratch, shellScript } from '../../local/scratch.ts';

describe('libraries', () => {
  const { PATH } = process.env;
  afterEach(async () => {
    process.env.PATH = PATH;
    await removeScratch();
  });

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  /** A Maven that copies one library with this content, and a list that has the hash of another. */
  async function libraries(content: string, listed = content) {
    const [source, directory, programs] = [await scratch(), await scratch(), await scratch()];
    await writeFile(join(source, 'pom.xml'), '<project/>');
    await writeFile(join(source, 'libraries.sha256'), `${sha256(listed)}  one.jar\n`);
    const folder = '$(echo "$@" | sed "s/.*-DoutputDirectory=//")';
    await shellScript(
      programs,
      'mvn',
      `echo run >> ${programs}/runs; printf '%s' '${content}' > "${folder}/one.jar"`,
    );
    process.env.PATH = `${programs}:${PATH}`;
    const lines: string[] = [];
    const ensure = () => ensureLibraries({ source, directory, log: (line) => lines.push(line) });
    return { ensure, lines, directory };
  }

  test('what Maven brings is fetched once', async () => {
    const { ensure, lines } = await libraries('a jar');
    const folder = await ensure();
    expect(await readdir(folder)).toEqual(['one.jar']);
    expect(await ensure()).toBe(folder);
    expect(lines).toHaveLength(1);
  });

  test('a library with another hash is refused', async () => {
    const { ensure } = await libraries('another jar', 'a jar');
    await expect(ensure()).rejects.toThrow(/is not what .*libraries\.sha256 lists; see: one\.jar/);
  });

  test('one that was changed or added since is refused, each time', async () => {
    const { ensure } = await libraries('a jar');
    const folder = await ensure();
    await writeFile(join(folder, 'two.jar'), 'more');
    await expect(ensure()).rejects.toThrow('see: two.jar');
  });
});
