import { METER_VARIABLE, METERED } from './aws-meter-line.ts';
import { type AwsMeter, awsMeter } from './aws-meter-recorder.ts';
import { processWork } from './aws-meter-work.ts';
import { logger } from './logger.ts';

const NONE: AwsMeter = {
  meteredClient: (client) => client,
  meteredCall: (_, call) => call,
  metered: (handler) => handler,
};

/** The meter of this function. When off, it returns its arguments unchanged and adds nothing to any call. */
export const { meteredClient, meteredCall, metered } =
  process.env[METER_VARIABLE] === 'on'
    ? awsMeter({
        env: process.env,
        work: processWork(),
        now: () => performance.now(),
        write: (line) => logger.info(METERED, { ...line }),
      })
    : NONE;
