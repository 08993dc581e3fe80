export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, or the classifiers of a Python package. */
  readonly licence: string;
  /** Whether a function may carry it; otherwise it only builds, tests or measures. */
  readonly deployed: boolean;
  readonly lockfile: string;
  /** A package URL. Source: ECMA-427. */
  readonly purl: string;
  /** What it is held to when it is installed: a hash for each file that the release consists of. */
  readonly hashes: readonly { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string }[];
}

export const UNKNOWN = 'unknown';

/**
 * By their licence files: the metadata of the first says nothing, and the others are not installed with every
 * Python and system.
 */
export const READ_BY_HAND: Readonly<Record<string, string>> = {
  'xmlhttprequest-ssl': 'MIT',
  colorama: 'BSD-3-Clause',
  exceptiongroup: 'MIT',
  taskgroup: 'MIT',
  tomli: 'MIT',
  tzdata: 'Apache-2.0',
};

/** They require no more than their notice. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

/** We do not distribute tools, so these oblige us to nothing. The last five are classifiers. */
const FOR_TOOLS = [
  ...[...PERMISSIVE, 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'CNRI-Python', 'EPL-1.0', 'EPL-2.0'],
  ...['MPL-2.0', 'PSF-2.0', 'Unlicense', 'WTFPL', 'Zlib', 'LicenseRef-Public-Domain'],
  // For internal use by those with an AWS account, and not to be passed on: see docs/engines.md.
  'LicenseRef-DynamoDB-Local',
  ...['Apache Software License', 'BSD License', 'MIT License'],
  ...['Mozilla Public License 2.0 (MPL 2.0)', 'Python Software Foundation License'],
];

/**
 * One alternative of an expression has to be allowed as a whole. Nested parentheses are refused: nobody has
 * needed them yet.
 */
export function isAllowed({ licence, deployed }: Pick<Dependency, 'licence' | 'deployed'>): boolean {
  const allowed = deployed ? PERMISSIVE : FOR_TOOLS;
  const alternatives = licence.replace(/^\(([^()]*)\)$/, '$1').split(' OR ');
  return alternatives.some((all) => all.split(/ AND |, /).every((one) => allowed.includes(one)));
}
