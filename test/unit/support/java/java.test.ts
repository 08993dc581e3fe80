import { findJava } from '../../../support/java/java.ts';
import { removeScratch, scratch, shellScript } from '../../local/scratch.ts';

afterEach(removeScratch);

/** An environment with programs that print this. */
async function withPrograms(programs: Readonly<Record<string, string>>): Promise<NodeJS.ProcessEnv> {
  const directory = await scratch();
  for (const [name, prints] of Object.entries(programs)) {
    await shellScript(directory, name, `echo "${prints}"`);
  }
  return { PATH: directory };
}

test.each([
  ['nothing', {}, 'Java 17 or newer is missing'],
  ['a Java without its compiler', { java: 'java.base@17.0.15' }, 'JDK 17 or newer is missing'],
  ['an old Java', { java: 'jdk.compiler@11.0.2' }, 'Java 11 is too old'],
  ['a Java without Maven', { java: 'jdk.compiler@17.0.15' }, 'Maven (mvn) is missing'],
])('with %s, says what is missing', async (_, programs, sentence) => {
  expect(findJava(await withPrograms(programs))).toContain(sentence);
});

test('finds Java beside Maven', async () => {
  expect(findJava(await withPrograms({ java: 'jdk.compiler@21', mvn: '3.8' }))).toEqual({ program: 'java' });
});

test('prefers the one of JAVA_HOME', async () => {
  const env = await withPrograms({ mvn: '3.8' });
  expect(findJava({ ...env, JAVA_HOME: '/nowhere' })).toBe('Java 17 or newer is missing');
});
