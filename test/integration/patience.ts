/** How long a test may take: with its cold starts the emulator needs seconds where AWS needs milliseconds. */
jest.setTimeout(60_000);
