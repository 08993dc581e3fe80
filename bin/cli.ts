#!/usr/bin/env node
// Before anything is loaded that an older Node cannot read.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This is Node ${process.versions.node}; Payhooks needs Node 24, which its functions run on too.\nTo have it in this folder: npm install --save-dev node@24. npx then uses it, and so do npm scripts.`,
  );
  process.exitCode = 1;
} else {
  const [{ runPayhooks }, { runCommand }] = await Promise.all([
    import('./groups.ts'),
    import('../cli/terminal/explanation.ts'),
  ]);
  await runCommand(runPayhooks);
}
