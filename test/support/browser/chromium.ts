import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { LOCAL_DIRECTORY, PROJECT } from '../../../lib/project-paths.ts';
import packed from '../../../node_modules/@sparticuz/chromium/package.json' with { type: 'json' };

const PACKED = path.join(PROJECT, 'node_modules/@sparticuz/chromium/bin');

/**
 * A headless browser of the test's own. PAYHOOKS_BROWSER names another one, where the packed one does not
 * run: it is for Linux on x86-64.
 */
export async function startBrowser(): Promise<Browser> {
  const own = process.env.PAYHOOKS_BROWSER;
  if (own === undefined && (process.platform !== 'linux' || process.arch !== 'x64')) {
    throw new Error(
      `The browser from npm runs on Linux on x86-64, not on ${process.platform} on ${process.arch}: set PAYHOOKS_BROWSER to the path of a Chrome or Chromium.`,
    );
  }
  const folder = own === undefined ? await unpacked() : '';
  return chromium.launch({
    executablePath: own ?? path.join(folder, 'chromium'),
    // As root, in a container without user namespaces: the pages are our own.
    args: ['--headless=shell', '--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'],
    env: {
      ...(process.env as Record<string, string>),
      ...(own === undefined ? { LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_PATH: folder } : {}),
    },
  });
}

/** Unpacks the browser with its libraries, once for each version. */
async function unpacked(): Promise<string> {
  const folder = path.join(LOCAL_DIRECTORY, 'browser', packed.version);
  if (!existsSync(folder)) {
    await mkdir(path.dirname(folder), { recursive: true });
    // Somewhere else, then renamed: another run may be doing the same.
    const draft = await mkdtemp(`${folder}-`);
    await inflate('chromium.br', path.join(draft, 'chromium'));
    await chmod(path.join(draft, 'chromium'), 0o755);
    for (const archive of ['al2023', 'fonts']) {
      const tar = path.join(draft, `${archive}.tar`);
      await inflate(`${archive}.tar.br`, tar);
      await promisify(execFile)('tar', ['-xf', tar, '-C', draft]);
      await rm(tar);
    }
    await writeFile(path.join(draft, 'fonts.conf'), fontsOf(folder));
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  return folder;
}

async function inflate(file: string, target: string): Promise<void> {
  const source = createReadStream(path.join(PACKED, file));
  await pipeline(source, createBrotliDecompress(), createWriteStream(target));
}

/**
 * Its own fonts besides those of the system, which may have none. The configuration that comes with it is for
 * Lambda.
 */
function fontsOf(folder: string): string {
  const folders = ['/usr/share/fonts', path.join(folder, 'fonts')].map((dir) => `<dir>${dir}</dir>`).join('');
  const cache = `<cachedir>${path.join(folder, 'cache')}</cachedir>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}${cache}</fontconfig>\n`;
}
