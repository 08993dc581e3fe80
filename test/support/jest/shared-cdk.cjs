const { default: Runtime } = require('jest-runtime');

const CDK = /^(aws-cdk-lib|cdk-nag|constructs)(\/|$)/;

/**
 * Loads the CDK once for all test files of a worker: Jest would load it anew for each, which takes longer
 * than most of their tests.
 */
module.exports = class SharedCdk extends Runtime {
  requireModuleOrMock(from, name) {
    return CDK.test(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
};
module.exports.default = module.exports;
