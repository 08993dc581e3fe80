const { default: Runtime } = require('jest-runtime');

const CDK = /^(aws-cdk-lib|cdk-nag|constructs)(\/|$)/;

/**
 * Loads the CDK once for all test files of a worker. Jest would load it anew for each, which takes more than
 * most of their tests: 180 s of CPU for the first 11 of 35 files, and with this 106 s for all
 * (`time npx jest --selectProjects stacks`, 2026-11-27). Jest has no setting for modules that files
 * share, and separate processes load them as often.
 */
module.exports = class SharedCdk extends Runtime {
  requireModuleOrMock(from, name) {
    return CDK.test(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
};
module.exports.default = module.exports;
