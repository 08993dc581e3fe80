import { endpointSentence, lacksOf } from '../../../../console/stage/sentences.ts';
import type { EndpointView } from '../../../../functions/core/trouble/endpoint-view.ts';
import { spoken } from '../spoken.ts';
import { endpoint } from './endpoint.ts';

const said = (more: Partial<EndpointView>) =>
  spoken(endpointSentence(endpoint('sub_1', { attempts: 0, failed_attempts: 0, ...more })), {
    at: (iso) => `<${iso}>`,
    away: (iso) => `in <${iso}>`,
  });

test('of an open circuit is said since when, what waits, and when it is tried next', () => {
  const circuit = { state: 'open', next_probe_at: '12:01' } as const;
  expect(said({ since: '12:00', waiting: 7, circuit, attempts: 50, failed_attempts: 41 })).toBe(
    'Since <12:00>. 7 waiting. Next try in <12:01>. 41 of the last 50 attempts failed.',
  );
});

test('a count that stopped says so', () => {
  expect(said({ waiting: 999 })).toBe('999 waiting.');
  expect(said({ waiting: 1_000 })).toBe('1,000 or more waiting.');
});

test('of a half-open circuit is said that a message is being tried', () => {
  expect(said({ circuit: { state: 'half_open' } })).toBe('1 waiting. One message is being tried now.');
});

test('payments that are refused again and again are counted', () => {
  expect(said({ refused_payments: 1 })).toMatch(/1 payment is refused again and again\.$/);
  expect(said({ refused_payments: 3 })).toMatch(/Up to 3 payments are refused again and again\.$/);
});

test('what a list lacks has a sentence for each reason, and none without one', () => {
  const whole = { endpoints: [], more: 0, is_cut: false, unreadable: 0 };
  expect(lacksOf(whole)).toEqual([]);
  expect(lacksOf({ ...whole, more: 12 })).toEqual([
    'Not looked at: 12 more endpoints, which may be in trouble.',
  ]);
  expect(lacksOf({ ...whole, unreadable: 1 })).toEqual([
    'Could not be read: 1 endpoint. The log of stage-api says why.',
  ]);
  expect(lacksOf({ ...whole, is_cut: true })).toEqual([expect.stringMatching(/^More payments wait/)]);
});
