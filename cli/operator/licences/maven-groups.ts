interface MavenGroup {
  readonly group: string;
  /** What it brings, as artifact and version. */
  readonly libraries: RegExp;
  /** An SPDX expression. */
  readonly licence: string;
}

const all = (licence: string, groups: Readonly<Record<string, RegExp>>): MavenGroup[] =>
  Object.entries(groups).map(([group, libraries]) => ({ group, libraries, licence }));

/**
 * Where the libraries in local/java come from, and their licences: a list of files tells neither. Source: the
 * `licenses` of their poms, or of a parent's; a test compares them wherever Maven keeps the poms.
 */
export const MAVEN_GROUPS: readonly MavenGroup[] = [
  ...all('Apache-2.0', {
    'com.amazonaws': /^(aws-java-sdk-\w+|jmespath-java)-1\./,
    'com.almworks.sqlite4java': /^sqlite4java-1\./,
    'com.fasterxml.jackson.core': /^jackson-(annotations|core|databind)-2\./,
    'com.fasterxml.jackson.dataformat': /^jackson-dataformat-/,
    'com.fasterxml.jackson.datatype': /^jackson-datatype-/,
    'com.google.code.findbugs': /^jsr305-/,
    'com.google.errorprone': /^error_prone_annotations-/,
    'com.google.guava': /^(failureaccess|guava|listenablefuture)-/,
    'com.google.j2objc': /^j2objc-annotations-/,
    'com.typesafe': /^(config|ssl-config-core_2\.13)-\d/,
    'com.typesafe.scala-logging': /^scala-logging_/,
    'commons-cli': /^commons-cli-/,
    'commons-codec': /^commons-codec-/,
    'commons-logging': /^commons-logging-/,
    'io.micrometer': /^micrometer-/,
    'io.netty': /^netty-(?!nio-client-)/,
    'io.spray': /^spray-json_/,
    'joda-time': /^joda-time-/,
    'org.apache.commons': /^commons-(dbcp2|lang3|pool2)-/,
    'org.apache.httpcomponents': /^http(client|core)-4\./,
    'org.apache.logging.log4j': /^log4j-/,
    'org.apache.pekko': /^pekko-/,
    'org.apache.tomcat.embed': /^tomcat-embed-/,
    'org.elasticmq': /^elasticmq-/,
    'org.jspecify': /^jspecify-/,
    'org.objenesis': /^objenesis-/,
    'org.parboiled': /^parboiled_/,
    'org.scala-lang': /^scala-(library|reflect)-/,
    'org.scala-lang.modules': /^scala-(async|collection-compat|parser-combinators|xml)_/,
    'org.scalikejdbc': /^scalikejdbc/,
    'org.springframework': /^spring-(?!boot)/,
    'org.springframework.boot': /^spring-boot/,
    'software.amazon.awssdk': /-2\.25\.\d+$/,
    'software.amazon.eventstream': /^eventstream-/,
    'tools.jackson.core': /^jackson-(core|databind)-3\./,
  }),
  ...all('Apache-2.0 AND LicenseRef-Public-Domain', {
    'com.almworks.sqlite4java': /^(libsqlite4java|sqlite4java-win32)-/,
  }),
  ...all('BSD-3-Clause', { 'org.antlr': /^antlr4-/, 'org.hamcrest': /^hamcrest-/ }),
  ...all('EPL-1.0 OR LGPL-2.1-only', { 'ch.qos.logback': /^logback-/ }),
  ...all('EPL-2.0 OR Apache-2.0', { 'org.eclipse.jetty': /^jetty-/ }),
  ...all('EPL-2.0 OR GPL-2.0-only WITH Classpath-exception-2.0', {
    'jakarta.annotation': /^jakarta\.annotation-/,
    'jakarta.transaction': /^jakarta\.transaction-/,
  }),
  ...all('LicenseRef-DynamoDB-Local', { 'com.amazonaws': /^DynamoDBLocal-/ }),
  ...all('MIT', {
    'org.checkerframework': /^checker-qual-/,
    'org.mockito': /^mockito-/,
    'org.slf4j': /^slf4j-/,
  }),
  ...all('MIT-0', { 'org.reactivestreams': /^reactive-streams-/ }),
  ...all('MPL-2.0', { 'com.github.pureconfig': /^pureconfig-/ }),
];
