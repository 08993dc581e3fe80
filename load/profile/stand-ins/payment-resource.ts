/**
 * A payment in the form of GOV.UK Pay, 1 KB of JSON with realistic names, ids and dates, so that it
 * compresses like real data. All values are invented.
 */
export function paymentResource(paymentId: string, number: number) {
  const at = new Date(Date.UTC(2026, 10, 22, 9, 30) + number).toISOString();
  const amount = 1_250 + number;
  return {
    payment_id: paymentId,
    amount,
    description: 'Fishing licence for one year',
    reference: `REF-2026-${String(number).padStart(8, '0')}`,
    language: 'en',
    email: 'citizen@example.com',
    state: { status: 'success', finished: true },
    payment_provider: 'stripe',
    provider_id: `ch_${Buffer.from(paymentId).toString('hex').slice(-24)}`,
    created_date: at,
    refund_summary: { status: 'available', amount_available: amount, amount_submitted: 0 },
    settlement_summary: { capture_submit_time: at, captured_date: '2026-11-22' },
    card_details: {
      last_digits_card_number: String(1_000 + (number % 9_000)),
      first_digits_card_number: '424242',
      cardholder_name: 'Sherlock B Holmes',
      expiry_date: '11/28',
      billing_address: {
        line1: '221 Baker Street',
        line2: 'Flat b',
        postcode: 'NW1 6XE',
        city: 'London',
        country: 'GB',
      },
      card_brand: 'Visa',
      card_type: 'debit',
    },
    delayed_capture: false,
    moto: false,
    authorisation_mode: 'web',
    return_url: `https://service.example/payments/return/${paymentId}`,
    metadata: { ledger_code: 'AB100', internal_reference_number: number },
  };
}
