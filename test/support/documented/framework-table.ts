import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from './pages.ts';

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

function npm(name: string): string {
  return JSON.parse(read('docs/examples/frameworks/package-lock.json')).packages[`node_modules/${name}`]
    .version;
}

/** The versions of a package, which depend on Python's. */
function python(name: string): string {
  const requirements = read('test/support/python/requirements-frameworks.txt');
  return [...requirements.matchAll(new RegExp(`^${name}==([\\w.]+)`, 'gm'))]
    .map(([, version]) => version)
    .join(' or ');
}

function maven(artifact: string): string {
  const [, version = ''] =
    new RegExp(`<artifactId>${artifact}</artifactId>\\s*<version>(.+?)</version>`).exec(
      read('test/support/java/spring-boot/pom.xml'),
    ) ?? [];
  return version;
}

const link = (file: string) => `[${path.basename(file)}](examples/${file})`;
const NODE_INBOX = link('frameworks/inbox.mjs');
const PYTHON_INBOX = link('frameworks/inbox.py');

/** Of each framework its version in our lockfiles, and what to copy. */
const ROWS: readonly (readonly [framework: string, files: string])[] = [
  [`Express ${npm('express')}`, `${link('frameworks/express.mjs')}, ${NODE_INBOX}`],
  [`Fastify ${npm('fastify')}`, `${link('frameworks/fastify.mjs')}, ${NODE_INBOX}`],
  [`Hono ${npm('hono')}`, `${link('frameworks/hono.mjs')}, ${NODE_INBOX}`],
  [`Next.js ${npm('next')}`, `${link('frameworks/next/app/webhooks/route.js')}, ${NODE_INBOX}`],
  [`Flask ${python('flask')}`, `${link('frameworks/flask_app.py')}, ${PYTHON_INBOX}`],
  [`FastAPI ${python('fastapi')}`, `${link('frameworks/fastapi_app.py')}, ${PYTHON_INBOX}`],
  [`Django ${python('django')}`, `${link('frameworks/django_app.py')}, ${PYTHON_INBOX}`],
  [
    `Spring Boot ${maven('spring-boot-starter-webmvc')}`,
    `${link('frameworks/SpringReceiver.java')}, ${link('verify/Verify.java')}`,
  ],
  ['Go, `net/http`', link('frameworks/nethttp.go')],
  ['PHP', link('frameworks/receive.php')],
  // Debian 12's.
  ['Sinatra 3.0.5', link('frameworks/sinatra_app.rb')],
];

/** The lines of the table in docs/receiving.md, with its head. */
export function frameworkTable(): string[] {
  return ['| framework | copy |', '| --- | --- |', ...ROWS.map((cells) => `| ${cells.join(' | ')} |`)];
}
