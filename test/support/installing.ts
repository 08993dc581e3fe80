/** How long may be waited for what is installed the first time: packages for Python, libraries for Java. */
export const INSTALLING_MS = 300_000;
