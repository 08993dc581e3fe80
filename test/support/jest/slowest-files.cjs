const path = require('node:path');

const SHOWN = 10;
/** For fewer files, Jest's own output is enough. */
const MANY = 20;

/** After a long run, prints the files that took longest. */
module.exports = class SlowestFiles {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length < MANY) {
      return;
    }
    const slowest = testResults
      .map(({ testFilePath, perfStats: { start, end } }) => ({
        testFilePath,
        seconds: (end - start) / 1_000,
      }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, SHOWN);
    const lines = slowest.map(
      ({ testFilePath, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${path.relative('', testFilePath)}`,
    );
    process.stderr.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`);
  }
};
