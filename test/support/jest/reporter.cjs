const { appendFileSync } = require('node:fs');
const path = require('node:path');

const SHOWN = 10;
/** For fewer files, Jest's own output is enough. */
const MANY = 20;
/** Collects the results of several runs, for one summary at their end. */
const COLLECTED = process.env.TEST_RESULTS;

/** After a long run, prints the files that took longest. */
module.exports = class Reporter {
  /** What is run is this part of all tests. @default - its project */
  part = process.env.TEST_PART;

  onTestResult({ context }, { testFilePath, perfStats: { start, end }, testExecError, testResults }) {
    if (COLLECTED === undefined) return;
    const result = {
      file: path.relative('', testFilePath),
      part: this.part ?? context.config.displayName.name,
      seconds: (end - start) / 1_000,
      isBroken: testExecError !== undefined,
      tests: testResults.map(({ fullName, status }) => ({ fullName, status })),
    };
    appendFileSync(COLLECTED, `${JSON.stringify(result)}\n`);
  }

  onRunComplete(_contexts, { testResults }) {
    if (COLLECTED !== undefined || testResults.length < MANY) return;
    const lines = testResults
      .map(({ testFilePath, perfStats: { start, end } }) => ({
        file: path.relative('', testFilePath),
        seconds: (end - start) / 1_000,
      }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, SHOWN)
      .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    process.stderr.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`);
  }
};
