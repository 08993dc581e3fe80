/** Where counting the waiting messages of an endpoint stops. The console imports it: nothing else is here. */
export const MAX_COUNTED = 1_000;
