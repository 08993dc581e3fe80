// `npm run simulate -- scale ...` is the laboratory's; all else is the product's simulation.
if (process.argv[2] === 'scale') {
  process.argv.splice(2, 1);
  await import('./run.ts');
} else {
  await import('../../test/simulation/run.ts');
}
