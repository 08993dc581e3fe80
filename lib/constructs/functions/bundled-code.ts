import path from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { root } from '../../bundling/bundle.ts';
import { type BesideBundle, writeFunctionCode } from '../../bundling/function-code.ts';
import { FUNCTION_FOLDERS, type FunctionName } from '../../bundling/function-folders.ts';

const functions = path.join(root, 'functions');

/**
 * A function's code as one file, with the files it reads beside it: what we test is what runs. esbuild runs
 * in this process, because CDK's `NodejsFunction` starts npm for each function, which takes ten times as
 * long.
 */
export function bundledCode(name: FunctionName, from: BesideBundle): AssetCode {
  return Code.fromAsset(path.join(functions, FUNCTION_FOLDERS[name]), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below always succeeds or throws.
      image: DockerImage.fromRegistry('scratch'),
      local: {
        tryBundle(outputDir: string) {
          writeFunctionCode(name, outputDir, from);
          return true;
        },
      },
    },
  });
}
