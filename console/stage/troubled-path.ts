/** Each one that is looked at takes 100 read units or more: all that the API takes only on request. */
export const LIMITS = { first: 25, most: 100 };

/** Where the API tells which endpoints are in trouble. */
export const troubledPath = (limit: number) => `/stage/endpoints?limit=${limit}`;
