import { Annotations, Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { PayhooksDomain } from '../../payhooks-props.ts';

/**
 * The API's own address, with its record where there is a hosted zone.
 *
 * @throws when the certificate is of another region
 */
export function ownDomain(scope: Construct, { domainName, certificate, hostedZone }: PayhooksDomain) {
  const { region } = Stack.of(scope);
  const there = regionOf(certificate.certificateArn) ?? certificate.env.region;
  if (Token.compareStrings(there, region) === TokenComparison.DIFFERENT) {
    throw new Error(
      `the certificate of ${domainName} is in ${there}, but the API is in ${region}: request one there, in AWS Certificate Manager`,
    );
  }
  const domain = new DomainName(scope, 'Domain', { domainName, certificate });
  if (hostedZone === undefined) {
    Annotations.of(scope).addInfoV2(
      'payhooks:domain-without-zone',
      `${domainName} leads nowhere yet: make a CNAME record from it to the construct's domainTarget (show it with a CfnOutput), or give domain a hostedZone`,
    );
  } else {
    new ARecord(scope, 'DomainRecord', {
      zone: hostedZone,
      // With the dot it is taken as it is, in whatever zone.
      recordName: `${domainName}.`,
      target: RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(domain.regionalDomainName, domain.regionalHostedZoneId),
      ),
    });
  }
  return domain;
}

function regionOf(arn: string): string | undefined {
  return Token.isUnresolved(arn) ? undefined : Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).region;
}
