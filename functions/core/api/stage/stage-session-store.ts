import { inMemorySessions, type SessionStore } from '../portal/portal-session-store.ts';
import type { StageSession } from './stage-session.ts';

export type StageSessionStore = SessionStore<StageSession>;

/** Keeps the promises of the port, in memory. */
export const inMemoryStageSessions = (): StageSessionStore => inMemorySessions();
