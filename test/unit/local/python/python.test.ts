import { findPython } from '../../../../local/python/python.ts';
import { removeScratch, scratch, shellScript } from '../scratch.ts';

afterEach(removeScratch);

async function pathWith(pythons: Readonly<Record<string, string>>): Promise<NodeJS.ProcessEnv> {
  const directory = await scratch();
  for (const [name, version] of Object.entries(pythons)) {
    await shellScript(directory, name, `echo /somewhere/${name}; echo ${version}`);
  }
  return { PATH: directory };
}

test('uses the first Python that is recent enough', async () => {
  const env = await pathWith({ python3: '3.12.1', 'python3.13': '3.13.0' });
  expect(await findPython(env)).toEqual({ path: '/somewhere/python3', version: '3.12.1' });
});

test('skips a python3 that is too old', async () => {
  const env = await pathWith({ python3: '3.9.18', 'python3.11': '3.11.7' });
  expect(await findPython(env)).toEqual({ path: '/somewhere/python3.11', version: '3.11.7' });
});

test('lists what it found when all are too old', async () => {
  const env = await pathWith({ python3: '3.9.18', python: '2.7.18' });
  await expect(findPython(env)).rejects.toThrow(
    'needs Python 3.10 or newer; found only: python3 is 3.9.18, python is 2.7.18.',
  );
});

test('says what to install when there is none', async () => {
  const env = await pathWith({});
  await expect(findPython(env)).rejects.toThrow(/none was found in PATH\.\nInstall it, for example with/);
});

test('skips a shim without a Python behind it', async () => {
  const env = await pathWith({ python: '3.11.7' });
  await shellScript(env.PATH ?? '', 'python3', 'echo "command not found" >&2; exit 127');
  expect(await findPython(env)).toEqual({ path: '/somewhere/python', version: '3.11.7' });
});
