import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { deploymentSettings } from '../../lib/deployment-record.ts';
import { type RecordedSettings, recordName, settingsJson } from '../../lib/recorded-deployment.ts';
import { STAGES } from '../../payhooks.config.ts';

/** The settings of a deployment as SSM has them, by the parameter's name: like prod, with these parts. */
export function settingsParameter(deployment: string, parts: RecordedSettings['parts']) {
  const settings = { ...deploymentSettings(STAGES.prod), name: deployment };
  return { [recordName(deployment, 'settings')]: settingsJson({ settings, parts }) };
}

/** An SSM with these parameters. Its `asked` are the names and paths that it was asked for. */
export function parameterStore(
  parameters: Readonly<Record<string, string>>,
  { mayList = true }: { readonly mayList?: boolean } = {},
): SSMClient & { readonly asked: string[] } {
  const asked: string[] = [];
  const send = async (command: { input: { Name?: string; Path?: string } }) => {
    const { Name = '', Path = '' } = command.input;
    asked.push(Name || Path);
    if (command instanceof GetParameterCommand) {
      if (parameters[Name] === undefined) {
        throw new ParameterNotFound({ message: '', $metadata: {} });
      }
      return { Parameter: { Name, Value: parameters[Name] } };
    }
    if (!mayList) {
      throw Object.assign(new Error('no identity-based policy allows it'), { name: 'AccessDeniedException' });
    }
    return { Parameters: Object.entries(parameters).map(([name, Value]) => ({ Name: name, Value })) };
  };
  // The paginator takes nothing for a client that is not made like one.
  return Object.assign(Object.create(SSMClient.prototype), { send, asked });
}

/** A client of the AWS SDK that sends nothing: `answer` answers its calls, and `inputs` has what they ask. */
export function recordingClient<Client, Input extends object = object>(
  answer: (input: Input, call: number) => unknown,
) {
  const inputs: Input[] = [];
  const client = {
    async send({ input }: { input: Input }) {
      inputs.push(input);
      return answer(input, inputs.length);
    },
  };
  return { client: client as unknown as Client, inputs };
}

/** Answers each call with the next of these. */
export function inTurn(...answers: (object | Error)[]) {
  return () => {
    const answer = answers.shift();
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
}
