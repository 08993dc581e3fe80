/**
 * The timeout of a test. With cold starts the emulator needs seconds where AWS needs milliseconds, and
 * records of a worker that another test killed come back after 90 seconds.
 */
jest.setTimeout(130_000);
