import path from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { root } from '../../bundling/bundle.ts';
import { writeFunctionCode } from '../../bundling/function-code.ts';
import { FUNCTION_FOLDERS, type FunctionName } from '../../bundling/function-folders.ts';

const functions = path.join(root, 'functions');

/**
 * The code of a function in one file, and what it reads beside it: what was tested is what runs. esbuild is called in this process, since CDK's own
 * `NodejsFunction` starts npm for each function, which takes ten times as long.
 */
export function bundledCode(name: FunctionName): AssetCode {
  return Code.fromAsset(path.join(functions, FUNCTION_FOLDERS[name]), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below cannot decline.
      image: DockerImage.fromRegistry('scratch'),
      local: {
        tryBundle(outputDir: string) {
          writeFunctionCode(name, outputDir);
          return true;
        },
      },
    },
  });
}
