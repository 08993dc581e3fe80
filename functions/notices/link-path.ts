/** Where the links of mails lead. Their token is in the query, which access logs do not hold. */
export const LINK_PATH = '/v1/notices/link';
