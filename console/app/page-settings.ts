const { careful, staysSignedIn } = document.getElementById('console')?.dataset ?? {};

/** Whether a mistake on this stage costs real partners. */
export const IS_CAREFUL = careful !== undefined;

/** Whether the stage lets a tab stay signed in. */
export const STAYS_SIGNED_IN = staysSignedIn !== 'no';
