import path from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const functions = path.resolve(import.meta.dirname, '../../functions');

/**
 * The code of `functions/<name>/handler.ts` in one minified file, the AWS SDK included: what was tested is what runs. esbuild is called in
 * this process, since CDK's own `NodejsFunction` starts npm for each function, which takes ten times as long.
 */
export function bundledCode(name: string): AssetCode {
  const folder = path.join(functions, name);
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below cannot decline.
      image: DockerImage.fromRegistry('scratch'),
      local: {
        tryBundle(outputDir: string) {
          buildSync({
            entryPoints: [path.join(folder, 'handler.ts')],
            outfile: path.join(outputDir, 'index.mjs'),
            bundle: true,
            minify: true,
            platform: 'node',
            target: 'node24',
            format: 'esm',
            mainFields: ['module', 'main'],
            // Some dependencies are CommonJS inside and call require.
            banner: {
              js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
            },
            logLevel: 'warning',
          });
          return true;
        },
      },
    },
  });
}
