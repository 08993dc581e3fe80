const { default: TestRunner } = require('jest-runner');

/** Runs the files of a project one after another, once those of other projects have run side by side: these share one deployed stack. */
module.exports = class OneAfterAnother extends TestRunner {
  isSerial = true;
};
