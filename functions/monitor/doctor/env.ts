/** The environment variables that the stack sets for `doctor`. */
export const DOCTOR_ENV = [
  'BUS_NAME',
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'SIGNING_SECRETS_KEY',
  'HISTORY_TABLE',
  'SYNTHETIC_RECEIVER_URL',
  'DELIVERY_POLICY',
] as const;
export type DoctorEnv = Record<(typeof DOCTOR_ENV)[number], string>;
