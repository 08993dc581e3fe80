import path from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { bundle } from '../bundling/bundle.ts';

const functions = path.resolve(import.meta.dirname, '../../functions');

/**
 * The code of `functions/<name>/handler.ts` in one file: what was tested is what runs. esbuild is called in this process, since CDK's own
 * `NodejsFunction` starts npm for each function, which takes ten times as long.
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
          bundle(path.join(folder, 'handler.ts'), path.join(outputDir, 'index.mjs'));
          return true;
        },
      },
    },
  });
}
