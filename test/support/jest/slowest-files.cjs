const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');

const SHOWN = 10;
/** For fewer files, Jest's own output is enough. */
const MANY = 20;
/** A file that collects the times of several runs, for one list at their end. */
const COLLECTED = process.env.TEST_SECONDS;

/** After a long run, prints the files that took longest. */
module.exports = class SlowestFiles {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map(({ testFilePath, perfStats: { start, end } }) => ({
      file: path.relative('', testFilePath),
      seconds: (end - start) / 1_000,
    }));
    if (COLLECTED !== undefined) {
      appendFileSync(COLLECTED, files.map((one) => `${JSON.stringify(one)}\n`).join(''));
    } else if (files.length >= MANY) {
      print(files);
    }
  }
};

function print(files) {
  const lines = files
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  process.stderr.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`);
}

if (require.main === module) {
  print(readFileSync(COLLECTED, 'utf8').trim().split('\n').map(JSON.parse));
}
