export interface Refusal {
  readonly who: string;
  readonly action: string;
  readonly resource: string;
}

const NAMES = [
  'AccessDenied',
  'AccessDeniedException',
  'UnauthorizedOperation',
  'AuthorizationErrorException',
];

/** Reads an access error of AWS; undefined when it was another error. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !NAMES.includes(error.name)) {
    return undefined;
  }
  const [, who = 'whoever runs this'] = /User: (\S+) is not authorized/.exec(error.message) ?? [];
  const [, action = 'something that it does not name'] = /perform: (\S+)/.exec(error.message) ?? [];
  const [, resource = '*'] = /on resource: "?([^\s"]+)/.exec(error.message) ?? [];
  return { who, action, resource };
}

/** What to do about it: the very statement to add. */
export function remedyOf({ who, action, resource }: Refusal): string {
  const statement = JSON.stringify({ Effect: 'Allow', Action: action, Resource: resource });
  return `Add to the policies of ${roleOf(who)}: ${statement}`;
}

/** The role behind a session of it. */
function roleOf(who: string): string {
  const [, account, role] = /^arn:[^:]+:sts::(\d+):assumed-role\/(.+)\/[^/]+$/.exec(who) ?? [];
  return role === undefined ? who : `the role ${role} of the account ${account}`;
}
