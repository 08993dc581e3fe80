/**
 * How long a test may take. With its cold starts the emulator needs seconds where AWS needs milliseconds; and what a worker held that another test has
 * killed comes again after 90 seconds.
 */
jest.setTimeout(130_000);
