import { failureOf } from '../../../../functions/adapters/http/connection-failure.ts';
import { NotConnectedError } from '../../../../functions/adapters/http/not-connected-error.ts';

test('a NotConnectedError brings its own class and reason', () => {
  expect(failureOf(new NotConnectedError('dns', 'partner.test does not exist'))).toEqual({
    failure_class: 'dns',
    failure_reason: 'partner.test does not exist',
  });
});

test('an alert after the handshake is a failure of class tls', () => {
  const error = Object.assign(new Error('write EPROTO ...'), {
    code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  });

  expect(failureOf(error)).toEqual({
    failure_class: 'tls',
    failure_reason: 'the TLS connection failed (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
  });
});

test('an unknown error is a failure of class connect with its own message', () => {
  expect(failureOf(new Error('out of the blue'))).toEqual({
    failure_class: 'connect',
    failure_reason: 'the request could not be sent: out of the blue',
  });
});
