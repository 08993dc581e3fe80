import { createHash } from 'node:crypto';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { type BesideBundle, writeFunctionCode } from '../../bundling/function-code.ts';
import type { FunctionName } from '../../bundling/function-folders.ts';
import { PROJECT } from '../../project-paths.ts';

/**
 * A function's code as one file, with the files it reads beside it: what we test is what runs. It is bundled
 * in this process, or was before, because CDK's `NodejsFunction` starts npm for each function, which takes
 * ten times as long.
 */
export function bundledCode(name: FunctionName, from: BesideBundle): AssetCode {
  return Code.fromAsset(PROJECT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the local bundling below always succeeds or throws.
      image: DockerImage.fromRegistry('scratch'),
      // The CDK makes an asset again only when something here differs; it cannot see into `tryBundle`.
      environment: { FUNCTION: name, BESIDE: fingerprint(from) },
      local: {
        tryBundle(outputDir: string) {
          writeFunctionCode(name, outputDir, from);
          return true;
        },
      },
    },
  });
}

function fingerprint({ events, validate, console }: BesideBundle): string {
  return createHash('sha256')
    .update(JSON.stringify({ types: events.types, validate, console }))
    .digest('hex');
}
