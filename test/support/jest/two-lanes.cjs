const { default: TestRunner } = require('jest-runner');

/** The files of these projects share deployed stacks. */
const SHARING = ['integration', 'thorough', 'engines'];

/** This file of theirs deploys a stack of its own. */
const ON_ITS_OWN = 'hostile-urls.test.ts';

/**
 * Runs the files that share a stack one after another, and all others in parallel beside them: the former
 * mostly wait for clocks and queues. With one worker, everything runs in turn.
 */
module.exports = class TwoLanes extends TestRunner {
  async runTests(tests, watcher, options) {
    if (options.serial) {
      return super.runTests(tests, watcher, options);
    }
    const { sharing = [], free = [] } = Object.groupBy(tests, ({ path, context }) =>
      SHARING.includes(context.config.displayName.name) && !path.endsWith(ON_ITS_OWN) ? 'sharing' : 'free',
    );
    await Promise.all([
      super.runTests(sharing, watcher, { serial: true }),
      super.runTests(free, watcher, { serial: false }),
    ]);
  }
};
