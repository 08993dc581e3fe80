/**
 * FOR TESTS ONLY: a self-signed certificate for `partner.test` with its private key in plain sight, valid
 * from 2020 to 2119. Made with `openssl ca -selfsign`, curve P-256, subjectAltName DNS:partner.test,
 * basicConstraints critical CA:FALSE.
 */
export const testOnlyCertificate = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxwYXJ0bmVy
LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDHBhcnRuZXIudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMktTajQ
ZeFCRssjVP6gEVW1reYJbh7Kzx7aTG3iO/Q6Amcgl66bIYBNGPhl+Qxy19SVjyDG
R1Kzmra5FFXQr8mjSDBGMBcGA1UdEQQQMA6CDHBhcnRuZXIudGVzdDAMBgNVHRMB
Af8EAjAAMB0GA1UdDgQWBBTFrccgmeh4Or9KcJ4Pv+1eHeJZ/TAKBggqhkjOPQQD
AgNHADBEAiABLNohOkg2mucaOpM6L8gTD6lol+qLVYdtyraqiph10gIgXkA/49nN
US9TVeG+D6WpVnCQDO0+9mFbwmzpdUdWDps=
-----END CERTIFICATE-----
`;

export const testOnlyKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmX0RVn3KPuzqjCUh
OJfwn30jS66roLki5C5qESLYDSqhRANCAATJLU2o0GXhQkbLI1T+oBFVta3mCW4e
ys8e2kxt4jv0OgJnIJeumyGATRj4ZfkMctfUlY8gxkdSs5q2uRRV0K/J
-----END PRIVATE KEY-----
`;
