const { staysSignedIn } = document.getElementById('console')?.dataset ?? {};

/** Whether the stage lets a tab stay signed in. */
export const STAYS_SIGNED_IN = staysSignedIn !== 'no';
