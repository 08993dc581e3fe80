import { catalogueOf } from '../../functions/core/catalogue/catalogue.ts';

/** Event types of somebody who sells no payments: nothing here is GOV.UK Pay's. */
export const OWN_TYPES = catalogueOf([
  {
    name: 'invoice.paid',
    description: 'An invoice was paid.',
    group: 'Invoices',
    aliases: ['InvoicePaid', 'invoice-settled'],
    resource_type: 'invoice',
    schema: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
    sample: { total: 10.5 },
  },
  { name: 'invoice.sent', description: 'An invoice was sent.', group: 'Invoices' },
  {
    name: 'Parcel_1-lost',
    description: 'A parcel was lost.',
    deprecated: { successor: 'invoice.sent' },
  },
]);
