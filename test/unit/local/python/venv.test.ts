import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureVenv } from '../../../../local/python/venv.ts';
import { removeScratch, scratch, shellScript } from '../scratch.ts';

const { PATH } = process.env;

afterEach(async () => {
  process.env.PATH = PATH;
  await removeScratch();
});

/** A fake Python with this path, whose virtual environments contain only itself. */
async function installPython(path: string): Promise<void> {
  const bin = await scratch();
  const body = `
case "$1 $2" in
  "-c "*) echo ${path}; echo 3.11.7;;
  "-m venv") mkdir "$3/bin" && cp "$0" "$3/bin/python";;
  "-m pip") sleep 0.05;;
esac`;
  await shellScript(bin, 'python3', body);
  // The file must exist at the path that it reports.
  await symlink(join(bin, 'python3'), path);
  process.env.PATH = `${bin}:${PATH}`;
}

async function environmentOptions() {
  const directory = await scratch();
  const requirements = join(directory, 'requirements.txt');
  await writeFile(requirements, 'ministack==1.5.33\n');
  const said: string[] = [];
  return { name: 'venv', requirements, directory, log: (line: string) => said.push(line), said };
}

test('an environment is created once', async () => {
  const wanted = await environmentOptions();
  await installPython(join(await scratch(), 'python-a'));
  const python = join(wanted.directory, 'venv', 'bin', 'python');
  expect(await ensureVenv(wanted)).toBe(python);
  expect(await ensureVenv(wanted)).toBe(python);
  expect(wanted.said).toHaveLength(1);
});

test('it is recreated for the same version of Python in another place, or for other packages', async () => {
  const wanted = await environmentOptions();
  await installPython(join(await scratch(), 'python-a'));
  await ensureVenv(wanted);
  const elsewhere = join(await scratch(), 'python-b');
  await installPython(elsewhere);
  const python = await ensureVenv(wanted);
  expect(await readFile(python, 'utf8')).toContain(elsewhere);
  await writeFile(wanted.requirements, 'ministack==1.5.34\n');
  await ensureVenv(wanted);
  expect(wanted.said).toHaveLength(3);
});

test('of several concurrent first starts, all get one environment, and nothing else is left', async () => {
  const wanted = await environmentOptions();
  await installPython(join(await scratch(), 'python-a'));
  const pythons = await Promise.all([1, 2, 3, 4].map(() => ensureVenv(wanted)));
  expect(new Set(pythons).size).toBe(1);
  expect((await readdir(wanted.directory)).sort()).toEqual(['requirements.txt', 'venv', 'venv.log']);
});
