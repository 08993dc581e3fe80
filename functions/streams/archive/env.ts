/** The environment variables that the stack sets for `archive`. */
export const ARCHIVE_ENV = ['ARCHIVE_BUCKET'] as const;
export type ArchiveEnv = Record<(typeof ARCHIVE_ENV)[number], string>;
