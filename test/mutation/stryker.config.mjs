/** Changes the decisions of the core, one expression at a time: which change does no unit test notice? */
export default {
  testRunner: 'jest',
  jest: { configFile: 'test/mutation/jest.json' },
  coverageAnalysis: 'perTest',
  mutate: ['attempt', 'circuit', 'ordering', 'sequence'].map((folder) => `functions/core/${folder}/**/*.ts`),
  // What only runs while a module loads would need a process for each change.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  ignorePatterns: [
    '/.local',
    '/console',
    '/load',
    '/test/integration',
    '/test/slow',
    '/test/stacks',
    '/test/thorough',
  ],
  // There is none of this name: Stryker would rewrite the compiler's options by an API that TypeScript 7 lacks.
  tsconfigFile: 'none.json',
  tempDirName: '.local/mutation',
  reporters: ['progress', 'clear-text', 'html'],
  clearTextReporter: { reportTests: false, logTests: false },
  htmlReporter: { fileName: '.local/mutation.html' },
};
