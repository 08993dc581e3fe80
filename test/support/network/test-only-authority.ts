/**
 * FOR TESTS ONLY: a certificate authority, and a certificate that it signed with its private key in plain
 * sight, valid from 2020 to 2119. The certificate is for `hostile.test` and its subdomains, and for the
 * loopback under its usual names and addresses, so that no handshake with a test's receivers fails for want
 * of one. The authority's own key was thrown away. Made with `openssl ca`, curve P-256.
 */
export const testOnlyAuthority = `-----BEGIN CERTIFICATE-----
MIIBTjCB9KADAgECAgEBMAoGCCqGSM49BAMCMB0xGzAZBgNVBAMMElBheWhvb2tz
IHRlc3Qgb25seTAgFw0yMDAxMDEwMDAwMDBaGA8yMTE5MTIzMTAwMDAwMFowHTEb
MBkGA1UEAwwSUGF5aG9va3MgdGVzdCBvbmx5MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEOjW5o/4RppzCr5GJZSgG4zWNYRj7cJQRX5jLDGPFcWQdhmKZVb41K5rA
03BzC1bksaM6ktPUoH8qDTRgDFk/h6MjMCEwDwYDVR0TAQH/BAUwAwEB/zAOBgNV
HQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDSQAwRgIhAJr3oV40T/nelqEzAFCSAmT1
4cWOkmGq/DyqFtCvgAfeAiEAmSQpjuauvgt0lTqMZSa5valBLsyR6jbSRahE81f3
D+8=
-----END CERTIFICATE-----
`;

export const hostileCertificate = `-----BEGIN CERTIFICATE-----
MIIBpzCCAU2gAwIBAgIBAjAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJQYXlob29r
cyB0ZXN0IG9ubHkwIBcNMjAwMTAxMDAwMDAwWhgPMjExOTEyMzEwMDAwMDBaMBcx
FTATBgNVBAMMDGhvc3RpbGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BGMmS3ziVYQ9gf1CB0zoNl6/JKIB3oowvsAof7nhObn0jY7l6KLozkVC4HN/sAI1
UvwNeeXnh77B8so6lA92vjOjgYEwfzAMBgNVHRMBAf8EAjAAMG8GA1UdEQRoMGaC
DGhvc3RpbGUudGVzdIIOKi5ob3N0aWxlLnRlc3SCCWxvY2FsaG9zdIILKi5sb2Nh
bGhvc3SHBH8AAAGHBAAAAACHEAAAAAAAAAAAAAAAAAAAAAGHEAAAAAAAAAAAAAAA
AAAAAAAwCgYIKoZIzj0EAwIDSAAwRQIhANQ6ERx9o9A/xcAz/XCu2fwPxqIA41+H
QE2Nbwv/9+34AiBIvEVvuODf2jQdYJg5fgpwqMfdVz/k9+naho+/0UE0pw==
-----END CERTIFICATE-----
`;

export const hostileKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgisU4usmLc8dRNrKl
ZS102UARSwaQchPbmwUBuZOCoaGhRANCAARjJkt84lWEPYH9QgdM6DZevySiAd6K
ML7AKH+54Tm59I2O5eii6M5FQuBzf7ACNVL8DXnl54e+wfLKOpQPdr4z
-----END PRIVATE KEY-----
`;

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
